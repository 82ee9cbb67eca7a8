// An attempt of update_balance that is not in the journal: a repeat, a conflict, a refusal or a failure.
import type { ServiceError } from '@counterfoil/kit/http/errors';
import type { FastifyRequest, onResponseHookHandler } from 'fastify';
import { cleanText, type Listed, type LogLine, type Merged, readRefusal } from '../logs/log-line.ts';
import type { AttemptRecorder } from './record-attempts.ts';

export interface TransferAttempt extends LogLine {
  readonly type: string;
}

export type MergedAttempt = TransferAttempt & Merged;
export type ListedAttempt = TransferAttempt & Listed;

/** The request of an attempt, without its outcome. */
type AttemptedRequest = Pick<
  TransferAttempt,
  'packageId' | 'requestId' | 'address' | 'transactionId' | 'playerId' | 'type'
>;

interface Deps {
  readonly attempts: AttemptRecorder;
  readonly now: () => Date;
}

/** Records a request that repeated an earlier request. */
export function recordRepeat(deps: Deps, request: AttemptedRequest, result: string): void {
  const outcome = { at: deps.now(), status: 200, code: '', result, field: '' };
  deps.attempts.record({ ...request, ...outcome });
}

/**
 * The errors that are already recorded. The operation records its own errors, and the route's hook records
 * all other errors.
 */
const recorded = new WeakSet<ServiceError>();

/**
 * The codes of final refusals. The first refusal of an id with one of these codes is stored in the journal.
 */
const finalCodes = ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'];

/**
 * Records an error answer once. The first answer with a final refusal is not recorded, because the refusal is
 * in the journal.
 */
export function recordRefusal(deps: Deps, request: AttemptedRequest, error: ServiceError): void {
  if (recorded.has(error)) return;
  recorded.add(error);
  const { status, code } = error;
  const { duplicate, field } = readRefusal(error);
  if (!duplicate && finalCodes.includes(code)) return;
  const result = duplicate ? code : '';
  deps.attempts.record({ ...request, at: deps.now(), status, code, result, field });
}

/** Records errors that the operation itself did not answer, such as an invalid body. */
export const recordOtherRefusals =
  (
    deps: Deps & {
      /** The package of a request; undefined if the request was not authenticated. */
      readonly findPackageId: (request: FastifyRequest) => number | undefined;
    },
  ): onResponseHookHandler =>
  (request, { failure }, done) => {
    done();
    const packageId = deps.findPackageId(request);
    const names = failure && readNames(request.body);
    if (!names || packageId === undefined) return;
    const { id: requestId, ip: address } = request;
    recordRefusal(deps, { packageId, requestId, address, ...names }, failure);
  };

/**
 * Reads player, type and transaction id of a body that may be invalid. Undefined if there is no usable
 * transaction id.
 */
function readNames(body: unknown): Pick<TransferAttempt, 'transactionId' | 'playerId' | 'type'> | undefined {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const transactionId = cleanText(fields.transaction_id, 256);
  if (transactionId === '') return undefined;
  const playerId = cleanText(fields.player_id, 128);
  return { transactionId, playerId, type: cleanText(fields.type, 16) };
}

/** Merges equal attempts into one attempt with a count. */
export function mergeAttempts(attempts: readonly TransferAttempt[]): MergedAttempt[] {
  const merged = new Map<string, MergedAttempt>();
  for (const each of attempts) {
    const { packageId, transactionId, playerId, type, status, code, field, address } = each;
    const same = [packageId, transactionId, playerId, type, status, code, field, address];
    const key = JSON.stringify(same);
    const known = merged.get(key);
    if (known) known.attempts++;
    else merged.set(key, { ...each, attempts: 1 });
  }
  return [...merged.values()];
}
