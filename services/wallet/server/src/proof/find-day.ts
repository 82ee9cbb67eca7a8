// Where a day begins in a package's journal: rows stand in the order they were written.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { selectHeadRow, selectTimeAt } from './store.ts';

/**
 * The first sequence at or after the moment; one past the last row where there is none.
 *
 * Where the clocks of several processes disagree, times go back now and then. So that a moment has
 * one place whenever it is asked for, and two days never share a row or miss one, the last row before
 * it is found by steps of powers of two from the first row: they do not depend on how many rows
 * have come since.
 */
export async function findFirstSequence(
  db: Queryable,
  packageId: number,
  moment: Date,
): Promise<bigint> {
  const head = await selectHeadRow(db, packageId);
  if (!head) throw new PlainError('The ledger has no head: let verify say what is wrong with it.');
  let before = 0n;
  for (let step = 1n << BigInt(head.sequence.toString(2).length); step > 0n; step >>= 1n) {
    if (before + step > head.sequence) continue;
    const time = await selectTimeAt(db, packageId, before + step);
    if (time !== undefined && time < moment) before += step;
  }
  return before + 1n;
}
