// The pace at which a package's credit goes, from the last day or as much of it as one look holds.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectCreditUse } from './store/credit-use-store.ts';

const dayMs = 86_400_000;
const maxRows = 20_000;

export interface CreditPace {
  readonly spent: bigint;
  readonly overMs: number;
}

/** A young or very busy package is measured over the time that its rows span. */
export async function measureCreditUse(
  db: Queryable,
  packageId: number,
  now: Date,
): Promise<CreditPace> {
  const since = new Date(now.getTime() - dayMs);
  const use = await selectCreditUse(db, { packageId, since, rows: maxRows });
  const start = use.isCut && use.since ? use.since : since;
  return { spent: use.spent, overMs: Math.max(1, now.getTime() - start.getTime()) };
}
