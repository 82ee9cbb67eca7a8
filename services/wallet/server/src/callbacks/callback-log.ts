// A line of the callback log: a repeat, refusal or failure, which the journal does not contain.
import { Nullable } from '@counterfoil/kit/http/answers';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import { cleanText, type Listed, type LogLine, type Merged, readRefusal } from '../logs/log-line.ts';
import type { CallbackRecorder } from './record-callbacks.ts';

export interface CallbackLine extends LogLine {
  readonly action: string;
  readonly roundId: string;
}

export type MergedLine = CallbackLine & Merged;
export type ListedCallbackLine = CallbackLine & Listed;

/** The request that a line describes, without its outcome. */
interface LoggedRequest {
  readonly packageId: number;
  readonly requestId: string;
  readonly address: string;
  /** Parsed JSON, or the bytes of a body that could not be parsed. */
  readonly body: unknown;
}

interface Deps {
  readonly recorder: CallbackRecorder;
  readonly now: () => Date;
}

/** Records a callback that repeated an earlier callback. */
export function recordCallbackRepeat(deps: Deps, request: LoggedRequest, result: string | undefined): void {
  const outcome = { status: 200, code: '', result: result ?? '', field: '' };
  deps.recorder.add(makeLine(request, deps.now(), outcome));
}

/**
 * The errors that `recordCallbackRefusal` has already handled. The callback operation records its own errors.
 * The route's hook passes every error, so it would record the errors of the operation a second time.
 */
const recorded = new WeakSet<ServiceError>();

/**
 * Records each error answer once. The first refusal of a callback with 422 is not recorded here, because it
 * is in the journal.
 */
export function recordCallbackRefusal(deps: Deps, request: LoggedRequest, error: ServiceError): void {
  if (recorded.has(error)) return;
  recorded.add(error);
  const { status, code } = error;
  const { duplicate, field } = readRefusal(error);
  if (status === 422 && !duplicate) return;
  deps.recorder.add(makeLine(request, deps.now(), { status, code, result: '', field }));
}

const maxText = 256;

function makeLine(
  request: LoggedRequest,
  at: Date,
  outcome: Pick<CallbackLine, 'status' | 'code' | 'result' | 'field'>,
): CallbackLine {
  const body = readFields(request.body);
  return {
    packageId: request.packageId,
    at,
    requestId: request.requestId,
    address: cleanText(request.address, maxText),
    action: cleanText(body.action, maxText),
    transactionId: cleanText(body.transaction_id, maxText),
    playerId: cleanText(body.player_id, maxText),
    roundId: cleanText(body.round_id, maxText),
    ...outcome,
  };
}

const readFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
    ? (body as Record<string, unknown>)
    : {};

const TextOrNull = Nullable(Type.String());

export const CallbackLineAnswer = named(
  'CallbackAttempt',
  Type.Object({
    id: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    attempts: Type.Integer({
      description: 'The number of times that it arrived within the same second.',
    }),
    outcome: Type.Enum(['repeated', 'refused', 'failed']),
    action: TextOrNull,
    transaction_id: TextOrNull,
    player_id: TextOrNull,
    round_id: TextOrNull,
    status: Type.Integer(),
    code: TextOrNull,
    result: TextOrNull,
    field: Nullable(Type.String(), {
      description: 'The field that caused the conflict or was invalid.',
    }),
    address: Type.String(),
    request_id: Type.String(),
  }),
);

const outcomeOf = ({ status }: CallbackLine) => {
  if (status >= 500) return 'failed' as const;
  return status >= 400 ? ('refused' as const) : ('repeated' as const);
};

export const presentCallbackLine = (line: ListedCallbackLine) => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  attempts: line.attempts,
  outcome: outcomeOf(line),
  action: line.action || null,
  transaction_id: line.transactionId || null,
  player_id: line.playerId || null,
  round_id: line.roundId || null,
  status: line.status,
  code: line.code || null,
  result: line.result || null,
  field: line.field || null,
  address: line.address,
  request_id: line.requestId,
});
