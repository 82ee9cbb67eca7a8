// Tells every process that a workspace's seller flag or support switch changed.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { announceWorkspaceChange } from './workspace-changes.ts';

/** Called in the transaction that changes it. */
export const announceSellerChange = (db: Queryable, workspaceId: bigint): Promise<void> =>
  announceWorkspaceChange(db, 'seller', workspaceId);
