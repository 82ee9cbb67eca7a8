// The line and the columns that all logs with one partition per day have in common.
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { isPrintable } from '@counterfoil/kit/http/text';

export interface LogLine {
  readonly packageId: number;
  readonly at: Date;
  readonly requestId: string;
  readonly address: string;
  readonly transactionId: string;
  readonly playerId: string;
  readonly status: number;
  readonly code: string;
  readonly result: string;
  readonly field: string;
}

/**
 * Converts a value of an untrusted request to a text for the log. The result is empty if the value is not a
 * text or is too long. It is also empty if the text has control characters or lone surrogates.
 */
export const cleanText = (value: unknown, maxLength: number): string =>
  typeof value === 'string' && value.length <= maxLength && isPrintable(value) ? value : '';

/** Reads from an error whether it repeats an earlier refusal, and which field causes a conflict. */
export function readRefusal({ code, details }: ServiceError): {
  duplicate: boolean;
  field: string;
} {
  const [field = ''] = code === 'transaction_conflict' ? Object.keys(details.errors ?? {}) : [];
  return { duplicate: details.data?.duplicate === true, field };
}

/** The number of equal lines. Equal lines within one second are stored as one line with this count. */
export interface Merged {
  attempts: number;
}

export interface Listed extends Readonly<Merged> {
  readonly id: bigint;
}

/** The columns that all logs share, with the parameters $1 to $11. Each log adds its own columns. */
export const logColumns = `package_id, at, attempts, request_id, address, transaction_id,
  player_id, status, code, result, field`;

export const logArrays = `$1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[],
  $6::text[], $7::text[], $8::smallint[], $9::text[], $10::text[], $11::text[]`;

/** The fields of a line in the order of `logColumns`. */
const logFields = [
  ...(['packageId', 'at', 'attempts', 'requestId', 'address', 'transactionId'] as const),
  ...(['playerId', 'status', 'code', 'result', 'field'] as const),
];

export const listLogValues = (lines: readonly (LogLine & Merged)[]): unknown[] =>
  logFields.map((field) => lines.map((line) => line[field]));
