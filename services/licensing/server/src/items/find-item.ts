// One item of a workspace, in whatever state.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Item } from './item.ts';
import { selectItem } from './store.ts';

/** Another workspace's item is not there. */
export async function findItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item | undefined> {
  return await selectItem(db, key);
}
