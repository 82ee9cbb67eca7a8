// Finds the item of an update feed.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Item } from '../items/item.ts';
import { findItem } from '../items/queries.ts';

/**
 * Finds an item by its id alone, because the address of a feed names no workspace. A draft gets the error of
 * a missing item.
 */
export async function getReleasedItem(db: Queryable, itemId: bigint): Promise<Item> {
  const { rows } = await db.query<{ workspace_id: bigint }>({
    name: 'select_item_owner',
    text: 'select workspace_id from item_owners where item_id = $1',
    values: [itemId],
  });
  const workspaceId = rows[0]?.workspace_id;
  const item = workspaceId === undefined ? undefined : await findItem(db, { workspaceId, itemId });
  if (!item || item.state === 'draft') throw fail('item_not_found');
  return item;
}
