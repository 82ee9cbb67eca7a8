// The data of the panel's first page: sales, support that ends soon, and the progress of a new seller.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { listApiKeys } from '../api-keys/queries.ts';
import { getKeyState } from '../authentication/api-key.ts';
import { listOwnItems } from '../items/management/queries.ts';
import { ListedPurchase } from '../purchases/management/managed-purchase.ts';
import { summaryDays } from '../purchases/management/summarise-sales.ts';
import { hasValidated } from '../usage/queries.ts';

export const Overview = Type.Object({
  sales: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date-time' }),
      currency: Type.String(),
      count: Type.Integer(),
      total: Type.Number({ description: 'An exact decimal.' }),
    }),
    { description: `The days with sales among the last ${summaryDays} days (UTC), including today.` },
  ),
  totals: Type.Array(Type.Object({ currency: Type.String(), count: Type.Integer(), total: Type.Number() }), {
    description: 'The sums of these days by currency.',
  }),
  support_ending: Type.Object({
    count: Type.Integer({
      description: `Purchases whose support ends within ${summaryDays} days, without blocked purchases.`,
    }),
    next: Type.Array(ListedPurchase, { description: 'The ten purchases whose support ends first.' }),
  }),
  progress: Type.Object({
    has_key: Type.Boolean(),
    has_item: Type.Boolean(),
    first_call_seen: Type.Boolean(),
    first_valid_code: Type.Boolean(),
  }),
});

export async function readProgress(db: Queryable, workspaceId: bigint, now: Date) {
  const made = await listApiKeys(db, workspaceId, { limit: 100, after: [] });
  const keys = made.filter(({ isTest }) => !isTest);
  const published = { workspaceId, state: 'published' } as const;
  const { items } = await listOwnItems(db, published, { limit: 1, after: [] });
  return {
    has_key: keys.some((key) => getKeyState(key, now) === 'active'),
    has_item: items.length > 0,
    first_call_seen: keys.some((key) => key.lastUsedAt !== undefined),
    first_valid_code: await hasValidated(db, workspaceId),
  };
}
