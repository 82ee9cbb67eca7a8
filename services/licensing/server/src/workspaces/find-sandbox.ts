// The sandbox of a workspace: where the data of its test keys is.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectSandboxId } from './store.ts';

/** Undefined before the first test key. */
export async function findSandbox(db: Queryable, workspaceId: bigint): Promise<bigint | undefined> {
  return await selectSandboxId(db, workspaceId);
}
