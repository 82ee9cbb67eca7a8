// The workspace's purchases, newest first, page by page.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../../wire/paging.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { type PurchaseFilter, selectPurchases } from './managed-store.ts';

export const listPurchases = (
  db: Queryable,
  filter: PurchaseFilter,
  page: Page,
): Promise<ManagedPurchase[]> =>
  selectPurchases(db, filter, { limit: page.limit, beforeId: page.after[0] });
