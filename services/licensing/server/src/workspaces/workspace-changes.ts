// Word between processes that something which answers are made from changed in a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type Listener, listen, notify } from '@counterfoil/kit/postgres/notifications';

const channel = 'workspace_changes';

/** What may have changed: the items, or whether the account sells and supports. */
export type Topic = 'items' | 'seller';

type Hearer = (topic: Topic, workspaceId: bigint) => void;

/** Those in this process who keep answers of a workspace in memory. */
const keepers = new Set<Hearer>();

/**
 * Said in the transaction that makes the change. This process is told at once, so that it never
 * answers behind its own write; the others hear it with the commit.
 */
export async function announceWorkspaceChange(
  db: Queryable,
  topic: Topic,
  workspaceId: bigint,
): Promise<void> {
  for (const hear of keepers) hear(topic, workspaceId);
  await notify(db, channel, `${topic} ${workspaceId}`);
}

const message = /^(items|seller) (\d{1,19})$/;

export async function listenForWorkspaceChanges(options: {
  directUrl: string;
  /** A change that is not committed yet: what is read from now on for a while must not be kept. */
  onAnnounced: Hearer;
  onChanged: Hearer;
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
  keepers.add(options.onAnnounced);
  return {
    close: async () => {
      keepers.delete(options.onAnnounced);
      await listener.close();
    },
  };
}

/** Called in the transaction that changes it. */
export const announceSellerChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'seller', workspaceId);

/** Called in the transaction that changes an item. */
export const announceItemsChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'items', workspaceId);
