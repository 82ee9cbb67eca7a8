// A line of the callback log: one repeat, refusal or failure, as it came and was answered.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import type { Folded, Listed, LogLine } from '../logs/log-line.ts';

export interface CallbackLine extends LogLine {
  readonly action: string;
  readonly roundId: string;
}

export type FoldedLine = CallbackLine & Folded;
export type ListedCallbackLine = CallbackLine & Listed;

/** What came may be anything: no control characters, half characters or long texts are kept. */
export const cleanText = (value: unknown): string =>
  typeof value === 'string' && value.length <= 256 && isPrintable(value) ? value : '';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const CallbackLineAnswer = named(
  'CallbackAttempt',
  Type.Object({
    id: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    attempts: Type.Integer({ description: 'How often it came within the same second.' }),
    outcome: Type.Enum(['repeated', 'refused', 'failed']),
    action: TextOrNull,
    transaction_id: TextOrNull,
    player_id: TextOrNull,
    round_id: TextOrNull,
    status: Type.Integer(),
    code: TextOrNull,
    result: TextOrNull,
    field: Type.Union([Type.String(), Type.Null()], {
      description: 'The field that a conflict or a wrong parameter was about.',
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
