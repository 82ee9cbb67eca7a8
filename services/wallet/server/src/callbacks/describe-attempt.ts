// What a callback leaves in the log: nothing where the journal has it, else how it came and went.
import { type CallbackLine, cleanText } from './callback-line.ts';

export interface Attempt {
  readonly packageId: number;
  readonly at: Date;
  readonly requestId: string;
  readonly address: string;
  /** As it was read; of a body that never was there are only bytes. */
  readonly body: unknown;
  readonly status: number;
  readonly code: string | undefined;
  readonly duplicate: boolean;
  readonly result: string | undefined;
  readonly conflict: string | undefined;
}

/** A first delivery stands in the journal, a refusal for want of money or room included. */
export function describeAttempt(attempt: Attempt): CallbackLine | undefined {
  const { status } = attempt;
  if (!attempt.duplicate && (status === 200 || status === 422)) return undefined;
  const body = readFields(attempt.body);
  return {
    packageId: attempt.packageId,
    at: attempt.at,
    requestId: attempt.requestId,
    address: cleanText(attempt.address),
    action: cleanText(body.action),
    transactionId: cleanText(body.transaction_id),
    playerId: cleanText(body.player_id),
    roundId: cleanText(body.round_id),
    status,
    code: attempt.code ?? '',
    result: attempt.result ?? '',
    field: attempt.conflict ?? '',
  };
}

const readFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
    ? (body as Record<string, unknown>)
    : {};
