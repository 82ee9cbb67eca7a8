// Where a day begins in a package's journal, found by halving: rows stand in the order they were written.
import type { Queryable } from '@counterfoil/kit/db';
import { selectHeadRow, selectTimeAt } from './store.ts';

/** The first sequence at or after the moment; one past the last row where there is none. */
export async function findFirstSequence(
  db: Queryable,
  packageId: number,
  moment: Date,
): Promise<bigint> {
  const head = await selectHeadRow(db, packageId);
  let low = 1n;
  let high = (head?.sequence ?? 0n) + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const time = await selectTimeAt(db, packageId, middle);
    if (time !== undefined && time < moment) low = middle + 1n;
    else high = middle;
  }
  return low;
}
