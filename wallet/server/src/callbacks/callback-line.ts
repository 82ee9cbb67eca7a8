// A line of the callback log: one repeat, refusal or failure, as it came and was answered.
import { isPrintable } from '@counterfoil/kit/text';
import { Type } from 'typebox';

export interface CallbackLine {
  readonly packageId: number;
  readonly at: Date;
  readonly requestId: string;
  readonly address: string;
  readonly action: string;
  readonly transactionId: string;
  readonly playerId: string;
  readonly roundId: string;
  readonly status: number;
  readonly code: string;
  readonly result: string;
  readonly field: string;
}

export interface ListedCallbackLine extends CallbackLine {
  readonly id: bigint;
  readonly attempts: number;
}

/** What came may be anything: no control characters, half characters or long texts are kept. */
export const cleanText = (value: unknown): string =>
  typeof value === 'string' && value.length <= 256 && isPrintable(value) ? value : '';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const CallbackLineAnswer = Type.Object({
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
});

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
