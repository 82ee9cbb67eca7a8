// Plays a callback on the ledger, and answers every repeat of it as the first.
import { toJsonNumber } from '@counterfoil/kit/money';
import { fail } from '../errors.ts';
import type { Ledger, Receipt } from '../ledger/engine/ledger.ts';
import { explainFailure } from '../ledger/explain-failure.ts';
import type { BetBar } from '../ledger/rules/command.ts';
import { getSubject, isFinalRefusal, type Movement } from '../ledger/rules/movement.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { StatusFinder } from '../players/find-status.ts';
import type { Callback, CallbackAnswer, CallbackResult, PlayCallback } from './callback.ts';
import { type TellDeps, tellBalance } from './callback-balance.ts';
import type { SessionFinder } from './find-running-session.ts';
import { toCommand } from './to-command.ts';

export interface PlayDeps extends TellDeps {
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly statuses: StatusFinder;
  readonly sessions: SessionFinder;
}

/** Told of the ledger's answer before it is judged, so that refusals carry the money as it stands. */
export type OnReceipt = (money: {
  credit: bigint;
  balance?: bigint;
  duplicate?: boolean;
  field?: string;
}) => void;

export async function playCallback(
  deps: PlayDeps,
  customerPackage: CustomerPackage,
  callback: Callback,
  onReceipt: OnReceipt,
): Promise<CallbackAnswer> {
  const { id: packageId, overdraftLimit, currency } = customerPackage;
  const { playerId } = callback;
  if (callback.action === 'balance') {
    const told = await tellBalance(deps, packageId, playerId);
    return { ...told, duplicate: false, result: undefined };
  }
  const account =
    deps.accounts.peek(packageId, playerId) ?? (await deps.accounts.find(packageId, playerId));
  if (account === undefined) throw fail('player_not_found');
  const barred =
    callback.action === 'bet' || callback.action === 'bet_win'
      ? await findBar(deps, packageId, callback, account)
      : undefined;
  const command = toCommand(callback, account, barred);
  const receipt = await deps.ledger
    .submit({ packageId, overdraftLimit, command })
    .catch(explainFailure);
  if (!receipt) throw fail('player_not_found');
  return judgePlay(receipt, { callback, currency, onReceipt });
}

/** What keeps a new bet out; a repeat of an old one is answered by the ledger all the same. */
export async function findBar(
  deps: PlayDeps,
  packageId: number,
  { playerId, sessionId }: PlayCallback,
  account: bigint,
): Promise<BetBar | undefined> {
  const status =
    deps.statuses.peek(packageId, playerId) ?? (await deps.statuses.find(packageId, playerId));
  if (status !== 'active') return 'player_blocked';
  if (sessionId === undefined) return undefined;
  const runs = await deps.sessions.isRunning({ packageId, sessionId, account });
  return runs ? undefined : 'session_expired';
}

/** Refusals are thrown as the errors that they are answered with. */
export function judgePlay(
  { outcome, credit }: Receipt,
  given: { callback: PlayCallback; currency: string; onReceipt: OnReceipt },
): CallbackAnswer {
  const { callback, currency, onReceipt } = given;
  if (outcome.kind === 'conflict') {
    onReceipt({ credit, field: outcome.field });
    const sentence = 'differs from the first callback with this transaction_id.';
    throw fail('transaction_conflict', { errors: { [outcome.field]: [sentence] } });
  }
  if (outcome.kind === 'refused') {
    onReceipt({ credit, balance: outcome.balance });
    throw fail(outcome.code, { data: { balance: toJsonNumber(outcome.balance, currency) } });
  }
  const { movement } = outcome;
  const { balance } = getSubject(movement);
  const duplicate = outcome.kind === 'repeated';
  if (isFinalRefusal(movement.result)) {
    onReceipt({ credit, balance, duplicate });
    throw fail(movement.result, { data: { balance: toJsonNumber(balance, currency), duplicate } });
  }
  return { balance, credit, duplicate, result: resultOf(callback, movement) };
}

/** A bet_win is told by its win; one that lost has moved its bet all the same. */
function resultOf(callback: PlayCallback, { result }: Movement): CallbackResult {
  const hasMoved = callback.action === 'bet_win' && callback.betAmount > 0n;
  return result === 'recorded' && hasMoved ? 'applied' : (result as CallbackResult);
}
