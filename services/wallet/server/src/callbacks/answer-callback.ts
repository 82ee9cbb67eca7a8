// game/callback: decides, answers and records one callback, for the router and the fast path.
import { ServiceError } from '@counterfoil/kit/http/errors';
import type { OverloadResponder } from '@counterfoil/kit/http/overload-response';
import { quoteText } from '@counterfoil/kit/http/read-json';
import type { Responder } from '@counterfoil/kit/http/responder';
import { toJsonNumber } from '@counterfoil/kit/money';
import { fail } from '../errors.ts';
import type { Ledger, Receipt } from '../ledger/engine/ledger.ts';
import type { BetBlock, GameCommand } from '../ledger/rules/command.ts';
import { getSubject, isFinalRefusal, type Movement } from '../ledger/rules/movement.ts';
import { isQueueOverload, type Refuse, writeLastCredit } from '../packages/credit/credit-now.ts';
import { presentCredit, writeCredit } from '../packages/credit-alert.ts';
import { type CustomerPackage, findMaxStake } from '../packages/customer-package.ts';
import type { GetBalance } from '../players/balance.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { StatusFinder } from '../players/find-status.ts';
import {
  type Callback,
  type CallbackAnswer,
  type CallbackResult,
  type PlayCallback,
  takesMoney,
} from './callback.ts';
import { recordCallbackRefusal, recordCallbackRepeat } from './callback-log.ts';
import type { SessionFinder } from './find-running-session.ts';
import type { CallbackRecorder } from './record-callbacks.ts';
import { toCommand } from './to-command.ts';

export interface CallbackDeps {
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly statuses: StatusFinder;
  readonly sessions: SessionFinder;
  readonly getBalance: GetBalance;
  readonly recorder: CallbackRecorder;
  readonly refuse: Refuse;
  readonly overload: OverloadResponder;
  readonly answerWithinMs: number;
  readonly now: () => Date;
}

/** An authenticated callback with a valid body. */
export interface CallbackCall<Asked extends Callback = Callback> {
  readonly customerPackage: CustomerPackage;
  /** The body as the provider sent it. The callback log stores some fields of this body. */
  readonly body: unknown;
  readonly callback: Asked;
  readonly responder: Responder;
}

type PlayCall = CallbackCall<PlayCallback>;

export function answerCallback(deps: CallbackDeps, call: CallbackCall): void {
  const { customerPackage, callback, responder } = call;
  if (callback.action === 'balance') {
    answerBalance(deps, call);
    return;
  }
  const { id: packageId } = customerPackage;
  if (deps.ledger.isFull(packageId)) {
    sendOverload(deps, call);
    return;
  }
  const play = call as PlayCall;
  const account = deps.accounts.peek(packageId, callback.playerId);
  if (account !== undefined) {
    checkBet(deps, play, account);
    return;
  }
  responder.answerBy(deps.answerWithinMs, () => expire(deps, call));
  deps.accounts.find(packageId, callback.playerId).then(
    (found) => {
      if (found !== undefined) checkBet(deps, play, found);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

/**
 * Submits the callback. The ledger refuses a new bet if the player is blocked, if the session is not running,
 * or if the stake is above the limit. These reasons do not apply to a repeat of a stored bet, which gets its
 * first answer.
 */
function checkBet(deps: CallbackDeps, call: PlayCall, account: bigint): void {
  const { callback, customerPackage, responder } = call;
  const { action, playerId, sessionId } = callback;
  if (!takesMoney(action)) {
    submit(deps, call, toCommand(callback, account, undefined));
    return;
  }
  const standing = sessionId === undefined ? deps.statuses.peek(customerPackage.id, playerId) : undefined;
  if (standing?.status === 'active') {
    submit(deps, call, toCommand(callback, account, undefined, findMaxStake(customerPackage, standing)));
    return;
  }
  responder.answerBy(deps.answerWithinMs, () => expire(deps, call));
  findLimits(deps, customerPackage, callback, account).then(
    ({ blockedBy, maxStake }) => submit(deps, call, toCommand(callback, account, blockedBy, maxStake)),
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

/** The limits of a new bet. The ledger ignores them if the bet repeats a stored bet. */
async function findLimits(
  deps: CallbackDeps,
  customerPackage: CustomerPackage,
  { playerId, sessionId }: PlayCallback,
  account: bigint,
): Promise<{ blockedBy: BetBlock | undefined; maxStake: bigint | undefined }> {
  const { id: packageId } = customerPackage;
  const { statuses } = deps;
  const standing = statuses.peek(packageId, playerId) ?? (await statuses.find(packageId, playerId));
  const maxStake = findMaxStake(customerPackage, standing);
  if (standing?.status !== 'active') return { blockedBy: 'player_blocked', maxStake };
  if (sessionId === undefined) return { blockedBy: undefined, maxStake };
  const isRunning = await deps.sessions.isRunning({ packageId, sessionId, account });
  return { blockedBy: isRunning ? undefined : 'session_expired', maxStake };
}

function submit(deps: CallbackDeps, call: PlayCall, command: GameCommand): void {
  // After the deadline, the request has already been answered with `outcome_unknown`. Its order must then not
  // be submitted.
  if (call.responder.isAnswered) return;
  const { id: packageId, overdraftLimit } = call.customerPackage;
  deps.ledger.submit({ packageId, overdraftLimit, command }).then(
    (receipt) => {
      if (receipt) answerPlay(deps, call, receipt);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

function answerPlay(deps: CallbackDeps, call: PlayCall, receipt: Receipt): void {
  if (call.responder.isAnswered) return;
  const result = toResult(receipt, call.callback, call.customerPackage);
  if (result instanceof ServiceError) {
    refuse(deps, call, result);
    return;
  }
  call.responder.send(writeAnswer(call, result));
  if (result.duplicate) recordCallbackRepeat(deps, describe(call), result.result);
}

function answerBalance(deps: CallbackDeps, call: CallbackCall): void {
  call.responder.answerBy(deps.answerWithinMs, () => fail('unavailable'));
  readBalance(deps, call.customerPackage.id, call.callback.playerId).then(
    (balance) => call.responder.send(writeAnswer(call, { ...balance, duplicate: false, result: undefined })),
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

/**
 * Reads the balance with the ledger's next batch. If no batch can serve the read, the balance is read from
 * the database.
 */
async function readBalance(
  deps: CallbackDeps,
  packageId: number,
  playerId: string,
): Promise<{ balance: bigint; credit: bigint }> {
  const account = deps.accounts.peek(packageId, playerId);
  const read = account !== undefined && (await deps.ledger.readBalance(packageId, account));
  if (read) return { balance: read.balance, credit: read.credit };
  const { player, credit } = await deps.getBalance(packageId, playerId);
  return { balance: player.balance, credit };
}

/**
 * Converts the ledger's receipt to the answer or to an error. An error contains the package's credit. The
 * error for a refusal also contains the balance.
 */
function toResult(
  { outcome, credit }: Receipt,
  callback: PlayCallback,
  owner: CustomerPackage,
): CallbackAnswer | ServiceError {
  if (outcome.kind === 'conflict') {
    const sentence = 'differs from the first callback with this transaction_id.';
    const errors = { [outcome.field]: [sentence] };
    return fail('transaction_conflict', { errors, extras: presentCredit(owner, credit) });
  }
  if (outcome.kind === 'refused') {
    const balance = toJsonNumber(outcome.balance, owner);
    const extras = { ...presentCredit(owner, credit), balance };
    return fail(outcome.code, { data: { balance }, extras });
  }
  const { movement } = outcome;
  const { balance: balanceMinor } = getSubject(movement);
  const duplicate = outcome.kind === 'repeated';
  if (isFinalRefusal(movement.result)) {
    const balance = toJsonNumber(balanceMinor, owner);
    const extras = { ...presentCredit(owner, credit), balance };
    return fail(movement.result, { data: { balance, duplicate }, extras });
  }
  return { balance: balanceMinor, credit, duplicate, result: resultOf(callback, movement) };
}

/**
 * The result of a `bet_win` is the result of its win. But if the win is zero and the bet moved money, the
 * result is `applied`.
 */
function resultOf(callback: PlayCallback, { result }: Movement): CallbackResult {
  const hasMoved = callback.action === 'bet_win' && callback.betAmount > 0n;
  return result === 'recorded' && hasMoved ? 'applied' : (result as CallbackResult);
}

/** Writes the same JSON as the route's response schema; a test compares the two. */
function writeAnswer(call: CallbackCall, answer: CallbackAnswer): string {
  const { customerPackage: owner, callback, responder } = call;
  const { currency } = owner;
  const { credit, duplicate, result } = answer;
  const balance = toJsonNumber(answer.balance, owner);
  const id = callback.transactionId === undefined ? 'null' : quoteText(callback.transactionId);
  return (
    `{"status":"success","data":{"transaction_id":${id},` +
    `"player_id":${quoteText(callback.playerId)},` +
    `"balance":${balance},"currency":"${currency}","duplicate":${duplicate},` +
    `"result":${result === undefined ? 'null' : `"${result}"`}},"balance":${balance},` +
    `${writeCredit(owner, credit)},"request_id":"${responder.requestId}"}`
  );
}

async function answerFailure(deps: CallbackDeps, call: CallbackCall, error: unknown): Promise<void> {
  if (isQueueOverload(error)) {
    sendOverload(deps, call);
    return;
  }
  const refusal = await deps.refuse(call.customerPackage, error);
  if (!call.responder.isAnswered) refuse(deps, call, refusal);
}

function sendOverload(deps: CallbackDeps, { customerPackage, responder }: CallbackCall): void {
  const extras = writeLastCredit(deps.ledger, customerPackage);
  responder.sendReady(deps.overload(responder.requestId, extras));
}

function refuse(deps: CallbackDeps, call: CallbackCall, error: ServiceError): void {
  call.responder.fail(error);
  recordCallbackRefusal(deps, describe(call), error);
}

/** The answer at the deadline. No order is submitted after this answer. */
function expire(deps: CallbackDeps, call: CallbackCall): ServiceError {
  const error = fail('outcome_unknown');
  recordCallbackRefusal(deps, describe(call), error);
  return error;
}

const describe = ({ customerPackage, responder, body }: CallbackCall) => ({
  packageId: customerPackage.id,
  requestId: responder.requestId,
  address: responder.address,
  body,
});
