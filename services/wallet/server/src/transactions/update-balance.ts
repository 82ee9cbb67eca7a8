// user/update_balance: decides, answers and records one request, for the router and the fast path.

import { ServiceError } from '@counterfoil/kit/http/errors';
import type { OverloadResponder } from '@counterfoil/kit/http/overload-response';
import { quoteText } from '@counterfoil/kit/http/read-json';
import type { Responder } from '@counterfoil/kit/http/responder';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { fail } from '../errors.ts';
import type { Ledger, Receipt } from '../ledger/engine/ledger.ts';
import {
  accountOfPurse,
  cashAccountOf,
  getSubject,
  isFinalRefusal,
  type Movement,
  type Purse,
} from '../ledger/rules/movement.ts';
import { transfer } from '../ledger/transfer.ts';
import { isQueueOverload, type Refuse, writeLastCredit } from '../packages/credit/credit-now.ts';
import { presentCredit, writeCredit } from '../packages/credit-alert.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { AccountFinder } from '../players/find-account.ts';
import { recordRefusal, recordRepeat } from './attempt.ts';
import type { AttemptRecorder } from './record-attempts.ts';

export interface BalanceUpdate {
  readonly playerId: string;
  readonly purse: Purse;
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

export interface UpdateBalanceDeps {
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly attempts: AttemptRecorder;
  /** Opens the player's promo account if it does not exist. */
  readonly openPromoAccount: (packageId: number, account: bigint) => Promise<void>;
  readonly refuse: Refuse;
  readonly overload: OverloadResponder;
  readonly answerWithinMs: number;
  readonly now: () => Date;
}

/** An authenticated request with a valid body. */
export interface UpdateBalanceCall {
  readonly customerPackage: CustomerPackage;
  readonly update: BalanceUpdate;
  readonly responder: Responder;
}

export function answerUpdateBalance(deps: UpdateBalanceDeps, call: UpdateBalanceCall): void {
  const { customerPackage, update, responder } = call;
  const { id: packageId } = customerPackage;
  if (deps.ledger.isFull(packageId)) {
    sendOverload(deps, call);
    return;
  }
  const account = deps.accounts.peek(packageId, update.playerId);
  if (account !== undefined) {
    submit(deps, call, account);
    return;
  }
  responder.answerBy(deps.answerWithinMs, () => expire(deps, call));
  deps.accounts.find(packageId, update.playerId).then(
    (found) => {
      if (found !== undefined) submit(deps, call, found);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

function submit(deps: UpdateBalanceDeps, call: UpdateBalanceCall, account: bigint): void {
  // If the deadline has passed, the request was already answered with `outcome_unknown`. Its order must then
  // not be submitted.
  if (call.responder.isAnswered) return;
  const { id: packageId, overdraftLimit } = call.customerPackage;
  const { purse, type, amount, transactionId, note } = call.update;
  const order = {
    packageId,
    overdraftLimit,
    account: accountOfPurse(account, purse),
    type,
    amount,
    transactionId,
    note,
  };
  transfer(deps.ledger, order).then(
    (receipt) => {
      if (receipt) answer(deps, call, receipt);
      else if (purse === 'promo') openAndSubmit(deps, call, order);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

/**
 * Opens the player's promo account and submits the order again. This is necessary at the player's first
 * movement of promo money. An order that would store nothing, such as a conflict, gets its receipt without
 * the account.
 */
function openAndSubmit(
  deps: UpdateBalanceDeps,
  call: UpdateBalanceCall,
  order: Parameters<typeof transfer>[1],
): void {
  call.responder.answerBy(deps.answerWithinMs, () => expire(deps, call));
  const open = deps.openPromoAccount(order.packageId, cashAccountOf(order.account));
  const submitAgain = () => (call.responder.isAnswered ? undefined : transfer(deps.ledger, order));
  open.then(submitAgain).then(
    (receipt) => {
      if (receipt) answer(deps, call, receipt);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

function answer(deps: UpdateBalanceDeps, call: UpdateBalanceCall, receipt: Receipt): void {
  const { customerPackage, responder } = call;
  if (responder.isAnswered) return;
  const result = toResult(receipt, customerPackage, customerPackage);
  if (result instanceof ServiceError) {
    refuse(deps, call, result);
    return;
  }
  responder.send(writeAnswer(call, result));
  if (result.duplicate) recordRepeat(deps, describe(call), result.movement.result);
}

/**
 * Converts the ledger's receipt to the updated balance, or to the error for the caller. If `owner` is given,
 * the error contains the package's credit.
 */
export function toResult(
  { outcome, credit }: Receipt,
  unit: Unit,
  owner?: CustomerPackage,
): UpdatedBalance | ServiceError {
  if (outcome.kind === 'refused') throw new Error(`a transfer was refused with ${outcome.code}`);
  if (outcome.kind === 'conflict') {
    const sentence = 'differs from the first request with this transaction_id.';
    return fail('transaction_conflict', {
      errors: { [outcome.field]: [sentence] },
      ...(owner && { extras: presentCredit(owner, credit) }),
    });
  }
  const { movement } = outcome;
  const duplicate = outcome.kind === 'repeated';
  if (!isFinalRefusal(movement.result)) return { movement, duplicate, credit };
  return fail(movement.result, {
    data: { balance: toJsonNumber(getSubject(movement).balance, unit), duplicate },
    ...(owner && { extras: presentCredit(owner, credit) }),
  });
}

/**
 * Writes the JSON that the router would write by the route's response schema. A test compares the two texts.
 */
function writeAnswer(
  { customerPackage, update, responder }: UpdateBalanceCall,
  { movement, duplicate, credit }: UpdatedBalance,
): string {
  const { currency } = customerPackage;
  const { balance } = getSubject(movement);
  const isCredit = movement.kind === 'credit';
  const before = isCredit ? balance - movement.amount : balance + movement.amount;
  return (
    `{"status":"success","data":{"player_id":${quoteText(update.playerId)},` +
    `"transaction_id":${quoteText(update.transactionId)},"type":"${update.type}",` +
    `"amount":${toJsonNumber(movement.amount, customerPackage)},` +
    `"balance_before":${toJsonNumber(before, customerPackage)},` +
    `"balance":${toJsonNumber(balance, customerPackage)},"currency":"${currency}",` +
    `${update.purse === 'promo' ? '"purse":"promo",' : ''}"note":${quoteText(update.note)},` +
    `"created_at":"${formatTime(movement.createdAtMs)}",` +
    `"duplicate":${duplicate}},${writeCredit(customerPackage, credit)},` +
    `"request_id":"${responder.requestId}"}`
  );
}

let lastMs = 0;
let lastText = new Date(0).toISOString();

/**
 * Formats a time. The text of the last time is reused, because all movements of a batch have the same time.
 */
function formatTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

async function answerFailure(
  deps: UpdateBalanceDeps,
  call: UpdateBalanceCall,
  error: unknown,
): Promise<void> {
  if (isQueueOverload(error)) {
    sendOverload(deps, call);
    return;
  }
  const refusal = await deps.refuse(call.customerPackage, error);
  if (!call.responder.isAnswered) refuse(deps, call, refusal);
}

function sendOverload(deps: UpdateBalanceDeps, { customerPackage, responder }: UpdateBalanceCall) {
  const extras = writeLastCredit(deps.ledger, customerPackage);
  responder.sendReady(deps.overload(responder.requestId, extras));
}

function refuse(deps: UpdateBalanceDeps, call: UpdateBalanceCall, error: ServiceError): void {
  call.responder.fail(error);
  recordRefusal(deps, describe(call), error);
}

/** Makes and records the answer at the deadline. No order is submitted after this answer. */
function expire(deps: UpdateBalanceDeps, call: UpdateBalanceCall): ServiceError {
  const error = fail('outcome_unknown');
  recordRefusal(deps, describe(call), error);
  return error;
}

const describe = ({ customerPackage, update, responder }: UpdateBalanceCall) => ({
  packageId: customerPackage.id,
  requestId: responder.requestId,
  address: responder.address,
  type: update.type,
  transactionId: update.transactionId,
  playerId: update.playerId,
});
