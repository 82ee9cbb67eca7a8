// Notifies all processes when cached data of a workspace changes.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type Listener, listen, notify } from '@counterfoil/kit/postgres/notifications';

const channel = 'workspace_changes';

/**
 * The kind of cached data that changed. `items` are the items of the workspace. `seller` is the data of the
 * type `Seller`: whether the account may sell, whether support is enabled, and which vendors' clients are
 * served. `licences` are the signing keys.
 */
export type Topic = 'items' | 'licences' | 'seller';

type Listening = (topic: Topic, workspaceId: bigint) => void;

/** Functions that invalidate the caches of this process. */
const caches = new Set<Listening>();

/**
 * Announces a change of a workspace. Call this function in the transaction that makes the change. The caches
 * of this process are invalidated at once, so that this process never answers with data from before the
 * change. Other processes are notified at the commit.
 */
export async function announceWorkspaceChange(
  db: Queryable,
  topic: Topic,
  workspaceId: bigint,
): Promise<void> {
  for (const invalidate of caches) invalidate(topic, workspaceId);
  await notify(db, channel, `${topic} ${workspaceId}`);
}

const message = /^(items|licences|seller) (\d{1,19})$/;

export async function listenForWorkspaceChanges(options: {
  directUrl: string;
  /**
   * Called when this process announces a change that is not committed yet. Data that is read now must not be
   * cached.
   */
  onAnnounced: Listening;
  onChanged: Listening;
  onGap: () => void;
  onError: (error: Error) => void;
}): Promise<Listener> {
  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (payload) => {
      const [, topic, id] = message.exec(payload) ?? [];
      if (id !== undefined) options.onChanged(topic as Topic, BigInt(id));
    },
    onGap: options.onGap,
    onError: options.onError,
  });
  caches.add(options.onAnnounced);
  return {
    close: async () => {
      caches.delete(options.onAnnounced);
      await listener.close();
    },
  };
}

/**
 * Announces a change of the data in `Seller`. Call this function in the transaction that makes the change.
 */
export const announceSellerChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'seller', workspaceId);

/** Announces a change of an item. Call this function in the transaction that makes the change. */
export const announceItemsChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'items', workspaceId);

/** Announces a change of the signing keys. Call this function in the transaction that makes the change. */
export const announceLicencesChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'licences', workspaceId);
