// Holds a workspace while something is counted in it and then added, so that limits hold exactly.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { lockWorkspaceRow } from './store.ts';

export async function lockWorkspace(tx: Tx, workspaceId: bigint): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId))) throw fail('workspace_not_found');
}
