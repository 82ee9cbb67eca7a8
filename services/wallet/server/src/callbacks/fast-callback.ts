// game/callback at the quick door: plain callbacks whose package is in memory.

import type { QuickReply, QuickRoute } from '@counterfoil/kit/http/transport/fast-path';
import { toJsonNumber } from '@counterfoil/kit/money';
import { defaultMs } from '../deadlines.ts';
import { fail } from '../errors.ts';
import type { Receipt } from '../ledger/engine/ledger.ts';
import { explainFailure } from '../ledger/explain-failure.ts';
import type { BetBar, GameCommand } from '../ledger/rules/command.ts';
import type { AuthenticateFromCache } from '../packages/callers/authenticate-from-cache.ts';
import { presentCredit, writeCredit } from '../packages/credit-alert.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { Callback, CallbackAnswer, PlayCallback } from './callback.ts';
import { tellBalance } from './callback-balance.ts';
import type { CallbackBody } from './callback-schema.ts';
import { describeAttempt } from './describe-attempt.ts';
import { findBar, judgePlay, type OnReceipt, type PlayDeps } from './play-callback.ts';
import { readCallback } from './read-callback.ts';
import { readPlainBody } from './read-plain-body.ts';
import type { CallbackRecorder } from './record-callbacks.ts';
import { toCommand } from './to-command.ts';

export interface QuickCallbackDeps extends PlayDeps {
  readonly recognise: AuthenticateFromCache;
  readonly recorder: CallbackRecorder;
  readonly now: () => Date;
  /** The credit of now, where the ledger could not say it. */
  readonly presentCreditNow: (
    given: CustomerPackage,
    error: unknown,
  ) => Promise<Record<string, unknown>>;
}

const purposes = ['caller', 'callback'] as const;

export const quickCallback = (deps: QuickCallbackDeps): QuickRoute => ({
  path: '/api/v1/game/callback',
  admit: (raw) => {
    const found = deps.recognise(raw.headers, purposes);
    if (found?.callbackSecurity !== 'headers' || found.callbackAddresses.length > 0) {
      return undefined;
    }
    return (body, reply) => take(deps, found, body, reply);
  },
});

/** One callback on its way through. */
interface Call<Asked extends Callback = Callback> {
  readonly package: CustomerPackage;
  readonly body: CallbackBody;
  readonly callback: Asked;
  readonly reply: QuickReply;
}

type Play = Call<PlayCallback>;

function take(
  deps: QuickCallbackDeps,
  customerPackage: CustomerPackage,
  bytes: Buffer,
  reply: QuickReply,
): boolean {
  const body = readPlainBody(bytes);
  const callback = body && tryRead(body, customerPackage.currency);
  if (!callback) return false;
  const { id: packageId } = customerPackage;
  const { playerId } = callback;
  if (callback.action === 'balance') {
    answerBalance(deps, { package: customerPackage, body, callback, reply });
    return true;
  }
  const call = { package: customerPackage, body, callback, reply };
  const account = deps.accounts.peek(packageId, playerId);
  if (account !== undefined) play(deps, call, account);
  else {
    hurry(call);
    deps.accounts.find(packageId, playerId).then(
      (found) => {
        if (found !== undefined) play(deps, call, found);
        else void answerFailure(deps, call, fail('player_not_found'));
      },
      (error: unknown) => void answerFailure(deps, call, error),
    );
  }
  return true;
}

function play(deps: QuickCallbackDeps, call: Play, account: bigint): void {
  const { id: packageId } = call.package;
  const { action, playerId, sessionId } = call.callback;
  const isBet = action === 'bet' || action === 'bet_win';
  const isKnown = sessionId === undefined && deps.statuses.peek(packageId, playerId) === 'active';
  const submitWith = (barred: BetBar | undefined) =>
    submit(deps, call, toCommand(call.callback, account, barred));
  if (!isBet || isKnown) submitWith(undefined);
  else {
    hurry(call);
    findBar(deps, packageId, call.callback, account).then(
      submitWith,
      (error: unknown) => void answerFailure(deps, call, error),
    );
  }
}

/** What waits for the database before the ledger does may have used up the caller's time. */
const hurry = ({ reply }: Call) => reply.answerBy(defaultMs, () => fail('outcome_unknown'));

/** What is wrong with a callback is said by the route. */
function tryRead(body: CallbackBody, currency: string): Callback | undefined {
  try {
    return readCallback(body, currency);
  } catch {
    return undefined;
  }
}

function answerBalance(deps: QuickCallbackDeps, call: Call): void {
  call.reply.answerBy(defaultMs, () => fail('unavailable'));
  tellBalance(deps, call.package.id, call.callback.playerId).then(
    (told) => call.reply.send(writeAnswer(call, { ...told, duplicate: false, result: undefined })),
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

function submit(deps: QuickCallbackDeps, call: Play, command: GameCommand): void {
  if (call.reply.isAnswered) return;
  const { id: packageId, overdraftLimit } = call.package;
  deps.ledger.submit({ packageId, overdraftLimit, command }).then(
    (receipt) => {
      if (receipt) answer(deps, call, receipt);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

function answer(deps: QuickCallbackDeps, call: Play, receipt: Receipt): void {
  const { currency } = call.package;
  let known: Parameters<OnReceipt>[0] = { credit: receipt.credit };
  const onReceipt: OnReceipt = (money) => {
    known = money;
  };
  try {
    const played = judgePlay(receipt, { callback: call.callback, currency, onReceipt });
    call.reply.send(writeAnswer(call, played));
    if (played.duplicate) note(deps, call, { status: 200, ...played });
  } catch (error) {
    const { balance } = known;
    const failure = call.reply.fail(error, {
      ...presentCredit(call.package, receipt.credit),
      ...(balance !== undefined && { balance: toJsonNumber(balance, currency) }),
    });
    note(deps, call, { ...failure, ...known });
  }
}

/** Byte for byte what the route's schema makes of the same; a test holds the two together. */
function writeAnswer({ package: owner, callback, reply }: Call, played: CallbackAnswer): string {
  const { currency } = owner;
  const { credit, duplicate, result } = played;
  const balance = toJsonNumber(played.balance, currency);
  const id = callback.transactionId === undefined ? 'null' : `"${callback.transactionId}"`;
  return (
    `{"status":"success","data":{"transaction_id":${id},"player_id":"${callback.playerId}",` +
    `"balance":${balance},"currency":"${currency}","duplicate":${duplicate},` +
    `"result":${result === undefined ? 'null' : `"${result}"`}},"balance":${balance},` +
    `${writeCredit(owner, credit)},` +
    `"request_id":"${reply.requestId}"}`
  );
}

/** Where the ledger gave no receipt, the credit is asked for, as on every other error. */
async function answerFailure(deps: QuickCallbackDeps, call: Call, error: unknown): Promise<void> {
  const extras = await deps.presentCreditNow(call.package, error);
  try {
    explainFailure(error);
  } catch (explained) {
    note(deps, call, call.reply.fail(explained, extras));
  }
}

function note(
  deps: QuickCallbackDeps,
  { package: { id: packageId }, body, reply }: Call,
  given: {
    status: number;
    code?: string;
    duplicate?: boolean;
    result?: string | undefined;
    field?: string;
  },
): void {
  const line = describeAttempt({
    packageId,
    body,
    at: deps.now(),
    requestId: reply.requestId,
    address: reply.address,
    status: given.status,
    code: given.code,
    duplicate: given.duplicate ?? false,
    result: given.result,
    conflict: given.field,
  });
  if (line) deps.recorder.add(line);
}
