// The sales of a time in one line: the sum where there is one currency, else each of them.
import { tellPrice } from '@counterfoil/ui/parts/amount.ts';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';

export function tellSales(totals: Overview['totals']): { value: string; note: string } {
  const count = totals.reduce((sum, each) => sum + each.count, 0);
  const sums = totals.map(({ currency, total }) => tellPrice(total, currency));
  return { value: sums.join(' + ') || '0', note: words.dashboard.count(count) };
}
