// Checks the invariants of a decided batch before it is written. A batch that fails a check is not written.
import assert from 'node:assert/strict';
import type { Movement } from '../rules/movement.ts';
import type { PackageEffects } from '../store/batch-columns.ts';
import type { AppliedBatch } from './apply-batch.ts';
import type { LedgerCache } from './cache.ts';
import type { AnyOrder, AnyReceipt } from './pending-order.ts';

type Decided = Pick<AppliedBatch, 'effects' | 'receipts'>;

export function assertDecided(
  cache: Pick<LedgerCache, 'packages'>,
  orders: readonly AnyOrder[],
  { effects, receipts }: Decided,
): void {
  assert(receipts.length === orders.length, 'an order has no receipt of its own');
  let lastPackage = Number.NEGATIVE_INFINITY;
  for (const effect of effects) {
    assert(effect.packageId > lastPackage, 'the heads would not be locked in the order of packages');
    lastPackage = effect.packageId;
    assertSequences(effect);
    assertZeroSum(cache, effect);
  }
  assertOrder(orders, receipts);
}

/** Checks that the first row follows the head of the journal, and that the rows have no gap. */
function assertSequences({ expectedSequence, sequence, rows }: PackageEffects): void {
  let last = expectedSequence;
  for (const { movement } of rows) {
    last++;
    assert(movement.sequence === last, 'the rows of a batch leave a gap in the journal');
  }
  assert(last === sequence, 'the new head is not the last row of the batch');
}

/** Checks that the batch's changes to the balances of the package sum to zero. */
function assertZeroSum(cache: Pick<LedgerCache, 'packages'>, { packageId, accounts }: PackageEffects): void {
  const known = cache.packages.get(packageId)?.accounts;
  let sum = 0n;
  for (const [id, { balance }] of accounts) sum += balance - (known?.get(id)?.balance ?? 0n);
  assert(sum === 0n, 'the balances of a batch do not sum to zero');
}

/**
 * Checks the movements that the batch writes. Each movement must belong to the package of its order. If two
 * orders have the same package, the movements of the later order must have later sequences.
 */
function assertOrder(orders: readonly AnyOrder[], receipts: Decided['receipts']): void {
  const last = new Map<number, bigint>();
  for (const [i, receipt] of receipts.entries()) {
    for (const { sequence, packageId } of listStored(receipt)) {
      assert(orders[i]?.packageId === packageId, 'an order was answered for another package');
      assert(sequence > (last.get(packageId) ?? 0n), 'answers are not in the order of the orders');
      last.set(packageId, sequence);
    }
  }
}

/**
 * Lists the movements of a receipt that this batch writes. Repeats return movements that were stored before;
 * these movements are left out.
 */
function listStored(receipt: AnyReceipt | undefined): readonly Movement[] {
  const outcome = receipt?.outcome;
  if (outcome?.kind === 'stored') return [outcome.movement];
  if (outcome?.kind !== 'batch') return [];
  return outcome.legs.filter((leg) => leg.kind === 'stored').map((leg) => leg.movement);
}
