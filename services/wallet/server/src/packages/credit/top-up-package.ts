// Tops up a package or reverses a top-up, once per transaction id, with its line in the audit log.
import type { FieldErrors } from '@counterfoil/kit/http/errors';
import { isPrintableWithin } from '@counterfoil/kit/http/text';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { createLedgerWithin, type Receipt } from '../../ledger/engine/ledger.ts';
import { getSubject, isFinalRefusal } from '../../ledger/rules/movement.ts';
import { topUp } from '../../ledger/transfer.ts';
import { parseAmount } from '../../wire/amount.ts';
import { type PackageTarget, recordPlatformEvent } from '../lock-package.ts';
import type { ManagedPackage } from '../managed-package.ts';
import { getManagedPackage } from '../queries.ts';
import { shareLockPackageRow } from '../store.ts';
import { explainFailure } from './credit-now.ts';
import type { TopUpType } from './top-up.ts';

export interface WantedTopUp extends PackageTarget {
  readonly type: TopUpType;
  /** The amount as it was sent. It is parsed with the decimals of the package. */
  readonly amount: unknown;
  readonly transactionId: string;
  readonly note: string;
}

/**
 * Top-ups are rare, so each top-up uses a separate transaction and a separate ledger. The transaction locks
 * the journal head and moves it, so every process notices the top-up as it notices a batch that a different
 * process has written. The row of the package is locked only against changes.
 */
export async function topUpPackage(db: Db, wanted: WantedTopUp) {
  checkTexts(wanted);
  let isDecided = false;
  const work = async (tx: Tx) => {
    // The row is locked against changes, because the decimals of a package may change until its first
    // movement.
    await shareLockPackageRow(tx, wanted.packageId);
    const owner = await getManagedPackage(tx, wanted.packageId);
    const receipt = await writeTopUp(tx, owner, wanted);
    isDecided = true;
    return { receipt, owner };
  };
  const { receipt, owner } = await db.transaction(work).catch((error: unknown) => {
    // After the decision only the commit can fail. The commit may have succeeded even if its confirmation was
    // lost, so the outcome is unknown.
    if (isDecided) throw fail('outcome_unknown', { cause: error });
    return explainFailure(error);
  });
  return toResult(receipt, owner);
}

/**
 * Checks the texts of a top-up from the command line, which has no schemas. The schemas of the API check the
 * same limits.
 */
function checkTexts({ transactionId, note }: WantedTopUp): void {
  const errors: FieldErrors = {};
  if (!isPrintableWithin(transactionId, { min: 1, max: 128 })) {
    errors.transaction_id = ['needs 1 to 128 printable characters.'];
  }
  if (!isPrintableWithin(note, { max: 255 })) {
    errors.note = ['may have up to 255 printable characters.'];
  }
  if (Object.keys(errors).length > 0) throw fail('invalid_parameter', { errors });
}

async function writeTopUp(tx: Tx, owner: ManagedPackage, wanted: WantedTopUp): Promise<Receipt> {
  const { type, transactionId, note, at } = wanted;
  const { id: packageId, overdraftLimit } = owner;
  const amount = parseAmount(wanted.amount, { unit: owner });
  const ledger = createLedgerWithin(tx, () => at);
  const order = { packageId, overdraftLimit, type, amount, transactionId, note };
  const receipt = await topUp(ledger, order);
  const { outcome } = receipt;
  if (outcome.kind === 'stored') {
    const { result } = outcome.movement;
    const details = { transaction_id: transactionId, amount: toJsonNumber(amount, owner) };
    await recordPlatformEvent(tx, wanted, {
      action: isFinalRefusal(result) ? `${type}_refused` : `${type}_applied`,
      subject: { kind: 'top_up', id: transactionId },
      details: isFinalRefusal(result) ? { ...details, code: result } : details,
    });
  }
  return receipt;
}

function toResult({ outcome }: Receipt, unit: Unit) {
  if (outcome.kind === 'conflict') {
    const sentence = 'differs from the first request with this transaction_id.';
    throw fail('transaction_conflict', { errors: { [outcome.field]: [sentence] } });
  }
  if (outcome.kind === 'refused') throw new Error(`a top-up was refused with ${outcome.code}`);
  const { movement } = outcome;
  const duplicate = outcome.kind === 'repeated';
  if (!isFinalRefusal(movement.result)) return { movement, duplicate, unit };
  const balance = toJsonNumber(getSubject(movement).balance, unit);
  throw fail(movement.result, { data: { balance, duplicate } });
}
