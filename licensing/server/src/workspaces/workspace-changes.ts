// Word between processes that something which answers are made from changed in a workspace.
import type { Queryable } from '@counterfoil/kit/db';
import { type Listener, listen, notify } from '@counterfoil/kit/notifications';

const channel = 'workspace_changes';

/** Those in this process who keep answers of a workspace in memory. */
const keepers = new Set<(workspaceId: bigint) => void>();

/**
 * Said by whoever changes a workspace's items, seller flag or support switch, in the transaction
 * that changes it. This process is told at once, so that it never answers behind its own write;
 * the others hear it with the commit.
 */
export async function announceWorkspaceChange(db: Queryable, workspaceId: bigint): Promise<void> {
  for (const forget of keepers) forget(workspaceId);
  await notify(db, channel, String(workspaceId));
}

export async function listenForWorkspaceChanges(options: {
  databaseUrl: string;
  /** A change that is not committed yet: what is read from now on for a while must not be kept. */
  onAnnounced: (workspaceId: bigint) => void;
  onChanged: (workspaceId: bigint) => void;
  onGap: () => void;
  onError: (error: Error) => void;
}): Promise<Listener> {
  const listener = await listen({
    url: options.databaseUrl,
    channel,
    onMessage: (payload) => {
      if (/^\d{1,19}$/.test(payload)) options.onChanged(BigInt(payload));
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
