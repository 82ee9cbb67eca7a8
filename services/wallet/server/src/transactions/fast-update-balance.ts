// user/update_balance at the quick door: plain requests whose package is in memory.

import { isTextUpTo, readPlainObject } from '@counterfoil/kit/http/read-json';
import type {
  QuickRefusal,
  QuickReply,
  QuickRoute,
} from '@counterfoil/kit/http/transport/fast-path';
import { parseMinor, toJsonNumber } from '@counterfoil/kit/money';
import { usualMs } from '../deadlines.ts';
import { fail } from '../errors.ts';
import { type Ledger, LedgerFailure, type Receipt } from '../ledger/engine/ledger.ts';
import { getSubject } from '../ledger/rules/movement.ts';
import { transfer } from '../ledger/transfer.ts';
import type { Recognise } from '../packages/callers/authenticate-from-cache.ts';
import { presentCredit, writeCredit } from '../packages/credit/credit.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import { isInJournal, readRefusal } from './transfer-attempt.ts';
import {
  type BalanceUpdate,
  explainFailure,
  judge,
  type UpdatedBalance,
} from './update-balance.ts';

export interface QuickDeps {
  readonly recognise: Recognise;
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly attempts: AttemptRecorder;
  readonly now: () => Date;
  /** The credit of now, where the ledger could not say it. */
  readonly presentCreditNow: (
    given: CustomerPackage,
    error: unknown,
  ) => Promise<Record<string, unknown>>;
}

const purposes = ['caller'] as const;

export const quickUpdateBalance = (deps: QuickDeps): QuickRoute => ({
  path: '/api/v1/user/update_balance',
  admit: (raw) => {
    const customerPackage = deps.recognise(raw.headers, purposes);
    if (!customerPackage) return undefined;
    if (deps.ledger.isFull(customerPackage.id)) return refuse(deps, customerPackage);
    return (body, reply) => take(deps, customerPackage, body, reply);
  },
});

function refuse({ ledger }: QuickDeps, customerPackage: CustomerPackage): QuickRefusal {
  const credit = ledger.peekCredit(customerPackage.id);
  return { extras: credit === undefined ? '' : writeCredit(customerPackage, credit) };
}

function take(
  deps: QuickDeps,
  customerPackage: CustomerPackage,
  body: Buffer,
  reply: QuickReply,
): boolean {
  const update = readUpdate(body, customerPackage.currency);
  if (!update) return false;
  const { id: packageId } = customerPackage;
  // Full since its headers came.
  if (deps.ledger.isFull(packageId)) {
    reply.shed(refuse(deps, customerPackage));
    return true;
  }
  const call = { customerPackage, update, reply };
  const account = deps.accounts.peek(packageId, update.playerId);
  if (account !== undefined) submit(deps, call, account);
  else {
    reply.answerBy(usualMs, () => fail('outcome_unknown'));
    deps.accounts.find(packageId, update.playerId).then(
      (found) => {
        if (found !== undefined) submit(deps, call, found);
        else void answerFailure(deps, call, fail('player_not_found'));
      },
      (error: unknown) => void answerFailure(deps, call, error),
    );
  }
  return true;
}

function submit(deps: QuickDeps, call: Call, account: bigint): void {
  const { id: packageId, overdraftLimit } = call.customerPackage;
  const { type, amount, transactionId, note } = call.update;
  const order = { packageId, overdraftLimit, account, type, amount, transactionId, note };
  transfer(deps.ledger, order).then(
    (receipt) => {
      if (receipt) answer(deps, call, receipt);
      else void answerFailure(deps, call, fail('player_not_found'));
    },
    (error: unknown) => void answerFailure(deps, call, error),
  );
}

/** Undefined for whatever is not surely right as it stands. */
function readUpdate(body: Buffer, currency: string): BalanceUpdate | undefined {
  const given = readPlainObject(body);
  if (!given) return undefined;
  const { player_id: playerId, transaction_id: transactionId } = given;
  if (!isTextUpTo(playerId, 64) || !isTextUpTo(transactionId, 128)) return undefined;
  const { type } = given;
  const note = given.note ?? '';
  if ((type !== 'credit' && type !== 'debit') || typeof note !== 'string' || note.length > 255) {
    return undefined;
  }
  const amount = parseMinor(given.amount, currency);
  if (amount === undefined || amount === 0n) return undefined;
  return { playerId, type, amount, transactionId, note };
}

interface Call {
  readonly customerPackage: CustomerPackage;
  readonly update: BalanceUpdate;
  readonly reply: QuickReply;
}

function answer(deps: QuickDeps, call: Call, receipt: Receipt): void {
  const { customerPackage, update, reply } = call;
  let updated: UpdatedBalance;
  try {
    updated = judge(receipt, customerPackage.currency);
  } catch (error) {
    const failed = reply.fail(error, presentCredit(customerPackage, receipt.credit));
    noteRefusal(deps, call, { ...failed, error });
    return;
  }
  reply.send(writeAnswer(customerPackage, update, updated, reply.requestId));
  if (updated.duplicate) {
    const { result } = updated.movement;
    note(deps, call, { status: 200, code: '', result, field: '' });
  }
}

/** Behind the answer, and only for what the journal does not hold. */
function note(
  deps: QuickDeps,
  { customerPackage: { id: packageId }, update, reply }: Call,
  given: { status: number; code: string; result: string; field: string },
): void {
  deps.attempts.note({
    packageId,
    at: deps.now(),
    requestId: reply.requestId,
    address: reply.address,
    type: update.type,
    transactionId: update.transactionId,
    playerId: update.playerId,
    status: given.status,
    code: given.code,
    result: given.result,
    field: given.field,
  });
}

function noteRefusal(
  deps: QuickDeps,
  call: Call,
  { status, code, error }: { status: number; code: string; error: unknown },
): void {
  const { duplicate, field } = readRefusal(error);
  if (isInJournal({ status, code, duplicate })) return;
  note(deps, call, { status, code, result: duplicate ? code : '', field });
}

/** Byte for byte what the route's schema makes of the same; a test holds the two together. */
function writeAnswer(
  customerPackage: CustomerPackage,
  update: BalanceUpdate,
  { movement, duplicate, credit }: UpdatedBalance,
  requestId: string,
): string {
  const { currency } = customerPackage;
  const { balance } = getSubject(movement);
  const isCredit = movement.kind === 'credit';
  const before = isCredit ? balance - movement.amount : balance + movement.amount;
  return (
    `{"status":"success","data":{"player_id":"${update.playerId}",` +
    `"transaction_id":"${update.transactionId}","type":"${update.type}",` +
    `"amount":${toJsonNumber(movement.amount, currency)},` +
    `"balance_before":${toJsonNumber(before, currency)},` +
    `"balance":${toJsonNumber(balance, currency)},"currency":"${currency}",` +
    `"note":"${update.note}","created_at":"${presentTime(movement.createdAtMs)}",` +
    `"duplicate":${duplicate}},${writeCredit(customerPackage, credit)},` +
    `"request_id":"${requestId}"}`
  );
}

let lastMs = 0;
let lastText = new Date(0).toISOString();

/** All movements of a batch have one time. */
function presentTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** Where the ledger gave no receipt, the credit is asked for, as on every other error. */
async function answerFailure(deps: QuickDeps, call: Call, error: unknown): Promise<void> {
  // Late in the queue, and surely with many others; what the database refused has a cause to be logged.
  if (error instanceof LedgerFailure && error.code === 'overloaded' && error.cause === undefined) {
    call.reply.shed(refuse(deps, call.customerPackage));
    return;
  }
  const extras = await deps.presentCreditNow(call.customerPackage, error);
  try {
    explainFailure(error);
  } catch (explained) {
    noteRefusal(deps, call, { ...call.reply.fail(explained, extras), error: explained });
  }
}
