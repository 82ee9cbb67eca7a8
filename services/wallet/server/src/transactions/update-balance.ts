// Credits or debits a player, and answers every repeat of the same request as the first.

import { toJsonNumber } from '@counterfoil/kit/money';
import { fail } from '../errors.ts';
import type { Ledger, Receipt } from '../ledger/engine/ledger.ts';
import { explainFailure } from '../ledger/explain-failure.ts';
import { getSubject, isFinalRefusal, type Movement } from '../ledger/rules/movement.ts';
import { transfer } from '../ledger/transfer.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { AccountFinder } from '../players/find-account.ts';

export interface BalanceUpdate {
  readonly playerId: string;
  readonly type: 'credit' | 'debit';
  readonly amount: bigint;
  readonly transactionId: string;
  readonly note: string;
}

export interface UpdatedBalance {
  readonly movement: Movement;
  readonly duplicate: boolean;
  readonly credit: bigint;
}

export async function updateBalance(
  deps: { ledger: Ledger; accounts: AccountFinder },
  customerPackage: CustomerPackage,
  update: BalanceUpdate,
): Promise<UpdatedBalance> {
  const { id: packageId, overdraftLimit } = customerPackage;
  const account =
    deps.accounts.peek(packageId, update.playerId) ??
    (await deps.accounts.find(packageId, update.playerId));
  if (account === undefined) throw fail('player_not_found');
  const { type, amount, transactionId, note } = update;
  const order = { packageId, overdraftLimit, account, type, amount, transactionId, note };
  const receipt = await transfer(deps.ledger, order).catch(explainFailure);
  if (!receipt) throw fail('player_not_found');
  return judge(receipt, customerPackage.currency);
}

/** Refusals are thrown as the errors that they are answered with. */
export function judge({ outcome, credit }: Receipt, currency: string): UpdatedBalance {
  if (outcome.kind === 'conflict') {
    const sentence = 'differs from the first request with this transaction_id.';
    throw fail('transaction_conflict', { errors: { [outcome.field]: [sentence] } });
  }
  if (outcome.kind === 'refused') throw new Error(`a transfer was refused with ${outcome.code}`);
  const { movement } = outcome;
  const duplicate = outcome.kind === 'repeated';
  if (!isFinalRefusal(movement.result)) return { movement, duplicate, credit };
  const balance = toJsonNumber(getSubject(movement).balance, currency);
  throw fail(movement.result, { data: { balance, duplicate } });
}
