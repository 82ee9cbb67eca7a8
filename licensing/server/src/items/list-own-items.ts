// The workspace's items in whatever state, newest first, page by page.
import type { Queryable } from '@counterfoil/kit/db';
import type { Page } from '../paging.ts';
import type { Item } from './item.ts';
import { type ItemFilter, selectItems } from './list-store.ts';

export const listOwnItems = (db: Queryable, filter: ItemFilter, page: Page): Promise<Item[]> =>
  selectItems(db, filter, { limit: page.limit, beforeId: page.after[0] });
