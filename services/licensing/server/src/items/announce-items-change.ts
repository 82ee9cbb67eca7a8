// Tells every process that a workspace's items changed: what they keep of them is stale.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { announceWorkspaceChange } from '../workspaces/workspace-changes.ts';

/** Called in the transaction that changes an item. */
export const announceItemsChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'items', workspaceId);
