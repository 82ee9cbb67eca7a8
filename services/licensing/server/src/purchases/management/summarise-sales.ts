// Summarises the sales by day of the last 30 days, and finds purchases whose support ends in the next 30
// days.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { countSupportEnding, type SalesDay, selectSalesByDay, selectSupportEnding } from './queries.ts';

const dayMs = 86_400_000;
/**
 * The summary covers the sales of the last 30 days, and the purchases whose support ends in the next 30 days.
 */
export const summaryDays = 30;
const maxListed = 10;

export async function summariseSales(
  db: Queryable,
  { workspaceId, now }: { workspaceId: bigint; now: Date },
) {
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const from = new Date(today.getTime() - (summaryDays - 1) * dayMs);
  const tomorrow = new Date(today.getTime() + dayMs);
  const ahead = { workspaceId, from: now, to: new Date(now.getTime() + summaryDays * dayMs) };
  return {
    days: await selectSalesByDay(db, { workspaceId, from, to: tomorrow }),
    supportEnding: {
      count: await countSupportEnding(db, ahead),
      next: await selectSupportEnding(db, { ...ahead, limit: maxListed }),
    },
  };
}

/** Adds up the days by currency. The sums are exact, because they are whole minor units. */
export function sumByCurrency(days: readonly SalesDay[]): Omit<SalesDay, 'day'>[] {
  const sums = new Map<string, Omit<SalesDay, 'day'>>();
  for (const { currency, count, totalMinor } of days) {
    const sum = sums.get(currency) ?? { currency, count: 0n, totalMinor: 0n };
    sums.set(currency, { currency, count: sum.count + count, totalMinor: sum.totalMinor + totalMinor });
  }
  return [...sums.values()];
}
