// The workspaces that a person is a member of, by name.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectWorkspaces } from './store.ts';
import type { Workspace } from './workspace.ts';

export async function listWorkspaces(db: Queryable, ids: readonly bigint[]): Promise<Workspace[]> {
  return await selectWorkspaces(db, ids);
}
