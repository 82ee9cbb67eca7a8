// The line, columns and row that the logs with one partition per day share.
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

/** Requests are untrusted: control characters, lone surrogates and long texts are left out. */
export const cleanText = (value: unknown, maxLength: number): string =>
  typeof value === 'string' && value.length <= maxLength && isPrintable(value) ? value : '';

/** Equal lines within one second are stored as one with a count. */
export interface Merged {
  attempts: number;
}

export interface Listed extends Readonly<Merged> {
  readonly id: bigint;
}

/** Parameters $1 to $11; the columns of each log follow. */
export const logColumns = `package_id, at, attempts, request_id, address, transaction_id,
  player_id, status, code, result, field`;

export const logArrays = `$1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[],
  $6::text[], $7::text[], $8::smallint[], $9::text[], $10::text[], $11::text[]`;

export const listLogValues = (lines: readonly (LogLine & Merged)[]): unknown[] => [
  lines.map((line) => line.packageId),
  lines.map((line) => line.at.toISOString()),
  lines.map((line) => line.attempts),
  lines.map((line) => line.requestId),
  lines.map((line) => line.address),
  lines.map((line) => line.transactionId),
  lines.map((line) => line.playerId),
  lines.map((line) => line.status),
  lines.map((line) => line.code),
  lines.map((line) => line.result),
  lines.map((line) => line.field),
];

export interface LogRow {
  readonly package_id: number;
  readonly at: Date;
  readonly id: bigint;
  readonly attempts: number;
  readonly request_id: string;
  readonly address: string;
  readonly transaction_id: string;
  readonly player_id: string;
  readonly status: number;
  readonly code: string;
  readonly result: string;
  readonly field: string;
}

export const fromLogRow = (row: LogRow): LogLine & Listed => ({
  packageId: row.package_id,
  at: row.at,
  id: row.id,
  attempts: row.attempts,
  requestId: row.request_id,
  address: row.address,
  transactionId: row.transaction_id,
  playerId: row.player_id,
  status: row.status,
  code: row.code,
  result: row.result,
  field: row.field,
});
