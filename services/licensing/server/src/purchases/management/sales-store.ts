// Rows of `purchases` in sum: sales by day, and support that runs out.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ManagedPurchase } from './managed-purchase.ts';
import { fromManagedRow, type ManagedRow } from './managed-store.ts';

export interface SalesDay {
  readonly day: Date;
  readonly currency: string;
  readonly count: bigint;
  readonly totalMinor: bigint;
}

/** What was taken back is no sale; what is disputed still is. */
export async function selectSalesByDay(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date },
): Promise<SalesDay[]> {
  const { rows } = await db.query<{ day: Date; currency: string; count: bigint; total: bigint }>(
    `select date_trunc('day', purchased_at, 'UTC') as day, currency,
       count(*)::bigint as count, sum(price_minor)::bigint as total
     from purchases
     where workspace_id = $1 and purchased_at >= $2 and purchased_at < $3
       and state in ('active', 'disputed')
     group by 1, 2 order by 1, 2`,
    [period.workspaceId, period.from, period.to],
  );
  return rows.map(({ total, ...row }) => ({ ...row, totalMinor: total }));
}

/** The next to end first. */
export async function selectSupportEnding(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date; limit: number },
): Promise<ManagedPurchase[]> {
  const { rows } = await db.query<ManagedRow>(
    `select * from purchases
     where workspace_id = $1 and supported_until >= $2 and supported_until < $3
       and state = 'active'
     order by supported_until, id limit $4`,
    [period.workspaceId, period.from, period.to, period.limit],
  );
  return rows.map(fromManagedRow);
}

export async function countSupportEnding(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date },
): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>(
    `select count(*)::bigint as count from purchases
     where workspace_id = $1 and supported_until >= $2 and supported_until < $3
       and state = 'active'`,
    [period.workspaceId, period.from, period.to],
  );
  return rows[0]?.count ?? 0n;
}
