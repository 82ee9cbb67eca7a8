// One of the workspace's items, in whatever state.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { Item } from '../item.ts';
import { selectItem } from '../store.ts';

export async function getOwnItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item> {
  const item = await selectItem(db, key);
  if (!item) throw fail('item_not_found');
  return item;
}
