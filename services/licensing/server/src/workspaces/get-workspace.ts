// One workspace and its settings.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { selectWorkspaces } from './store.ts';
import type { Workspace } from './workspace.ts';

export async function getWorkspace(db: Queryable, id: bigint): Promise<Workspace> {
  const [workspace] = await selectWorkspaces(db, [id]);
  if (!workspace) throw fail('workspace_not_found');
  return workspace;
}
