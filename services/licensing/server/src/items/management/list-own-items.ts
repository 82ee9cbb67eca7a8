// The workspace's items in whatever state, newest first, page by page.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../../wire/paging.ts';
import type { Item } from '../item.ts';
import { type ItemFilter, selectItems, selectLastLooked } from './list-store.ts';

/** A page of a search may be short, or empty, and have another behind it. */
export async function listOwnItems(
  db: Queryable,
  filter: ItemFilter,
  page: Page,
): Promise<{ items: Item[]; nextId: bigint | undefined }> {
  const { limit } = page;
  const beforeId = page.after[0];
  const items = await selectItems(db, filter, { limit, beforeId });
  if (items.length === limit) return { items, nextId: items.at(-1)?.id };
  if (filter.search === undefined) return { items, nextId: undefined };
  return { items, nextId: await selectLastLooked(db, filter, { limit, beforeId }) };
}
