// Credits or debits a player by hand, once per transaction id. The audit event is written in the same
// transaction.

import { ServiceError } from '@counterfoil/kit/http/errors';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { openPromoAccount } from '../ledger/accounts.ts';
import { createLedgerWithin, type Receipt } from '../ledger/engine/ledger.ts';
import { accountOfPurse, isFinalRefusal, type Purse } from '../ledger/rules/movement.ts';
import { transfer } from '../ledger/transfer.ts';
import { explainFailure } from '../packages/credit/credit-now.ts';
import { type PackageTarget, recordPackageEvent } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { getAccount } from '../players/queries.ts';
import { parseAmount } from '../wire/amount.ts';
import { toResult, type UpdatedBalance } from './update-balance.ts';

export interface WantedAdjustment extends PackageTarget {
  readonly playerId: string;
  readonly type: 'credit' | 'debit';
  readonly amount: unknown;
  readonly transactionId: string;
  readonly note: string;
  readonly purse: Purse;
}

/**
 * Adjusts a balance by hand. Adjustments are rare, so each adjustment runs in a separate transaction and not
 * in a batch with other orders.
 */
export async function adjustBalance(
  db: Db,
  wanted: WantedAdjustment,
): Promise<UpdatedBalance & { unit: Unit }> {
  let isDecided = false;
  const work = async (tx: Tx) => {
    const owner = await getManagedPackage(tx, wanted.packageId);
    if (owner.state === 'pending') throw fail('package_not_approved');
    if (owner.state === 'suspended') throw fail('package_suspended');
    const { overdraftLimit } = owner;
    const amount = parseAmount(wanted.amount, { unit: owner });
    const { packageId, playerId, type, transactionId, note, purse } = wanted;
    const cash = await getAccount(tx, packageId, playerId);
    const account = accountOfPurse(cash, purse);
    const ledger = createLedgerWithin(tx, () => wanted.at);
    const order = { packageId, overdraftLimit, account, type, amount, transactionId, note };
    let receipt = await transfer(ledger, order);
    if (!receipt && purse === 'promo') {
      await openPromoAccount(tx, packageId, cash);
      receipt = await transfer(ledger, order);
    }
    if (!receipt) throw fail('player_not_found');
    await record(tx, wanted, { receipt, amount: toJsonNumber(amount, owner) });
    isDecided = true;
    return { receipt, owner };
  };
  const { receipt, owner: unit } = await db.transaction(work).catch((error: unknown) => {
    if (isDecided) throw fail('outcome_unknown', { cause: error });
    return explainFailure(error);
  });
  const result = toResult(receipt, unit);
  if (result instanceof ServiceError) throw result;
  return { ...result, unit };
}

async function record(
  tx: Tx,
  wanted: WantedAdjustment,
  { receipt, amount }: { receipt: Receipt; amount: number },
): Promise<void> {
  const { outcome } = receipt;
  if (outcome.kind !== 'stored') return;
  const { result } = outcome.movement;
  const verb = wanted.type === 'credit' ? 'credited' : 'debited';
  const purse = wanted.purse === 'promo' && { purse: wanted.purse };
  const details = { transaction_id: wanted.transactionId, amount, ...purse };
  await recordPackageEvent(tx, wanted, {
    action: isFinalRefusal(result) ? `player_${wanted.type}_refused` : `player_${verb}`,
    subject: { kind: 'player', id: wanted.playerId },
    details: isFinalRefusal(result) ? { ...details, code: result } : details,
  });
}
