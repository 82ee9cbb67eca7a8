// How many validations there were, hour by hour and by item.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectBusiestItems, selectHours, type UsageFilter } from './store.ts';

const maxItems = 100;

export async function listUsage(db: Queryable, filter: UsageFilter) {
  return {
    hours: await selectHours(db, filter),
    items: await selectBusiestItems(db, { ...filter, limit: maxItems }),
  };
}
