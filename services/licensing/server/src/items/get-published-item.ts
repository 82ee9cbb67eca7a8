// One published item of a workspace; a draft, a withdrawn one and another's are all not there.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Item } from './item.ts';
import { selectPublishedItem } from './published-store.ts';

const maxId = 2n ** 63n - 1n;

export async function getPublishedItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item> {
  // An id beyond what the database can hold is a good number that no item has.
  const item = key.itemId > maxId ? undefined : await selectPublishedItem(db, key);
  if (!item) throw fail('item_not_found');
  return item;
}
