// How a workspace does, as the panel's first page shows it.
import { Type } from 'typebox';
import { ListedPurchase } from '../purchases/management/managed-purchase.ts';
import { summaryDays } from '../purchases/management/summarise-sales.ts';

export const Overview = Type.Object({
  sales: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date-time' }),
      currency: Type.String(),
      count: Type.Integer(),
      total: Type.Number({ description: 'An exact decimal.' }),
    }),
    { description: `The last ${summaryDays} days (UTC) that had any, today included.` },
  ),
  totals: Type.Array(
    Type.Object({ currency: Type.String(), count: Type.Integer(), total: Type.Number() }),
    { description: 'Of the same days, by currency.' },
  ),
  support_ending: Type.Object({
    count: Type.Integer({ description: `Within ${summaryDays} days.` }),
    next: Type.Array(ListedPurchase, { description: 'The first ten to end.' }),
  }),
  progress: Type.Object({
    has_key: Type.Boolean(),
    has_item: Type.Boolean(),
    first_call_seen: Type.Boolean(),
    first_valid_code: Type.Boolean(),
  }),
});
