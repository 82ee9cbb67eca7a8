// The lines of an export: movements as NDJSON or CSV, and the seal in the last line.

import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { NamedConnection } from '../connections/connection.ts';

export type ExportFormat = 'ndjson' | 'csv';

export const exportFormats: readonly ExportFormat[] = ['ndjson', 'csv'];

const exportColumns = [
  'sequence',
  'created_at',
  'kind',
  'result',
  'transaction_id',
  'player_id',
  'amount',
  'balance',
  'currency',
  'game_id',
  'hash',
] as const;

/**
 * Columns that were added after version 0.1. They come last, so that programs still find the older columns by
 * their position.
 */
const laterColumns = ['purse', 'shortfall', 'connection_id', 'connection'] as const;

type ExportLine = Readonly<Record<(typeof exportColumns)[number], string | number | null>> & {
  readonly purse?: 'promo';
  readonly shortfall?: string;
  readonly connection?: NamedConnection;
};

/**
 * Matches cells that a spreadsheet would run as a formula, and cells that begin with an apostrophe. The
 * export puts an apostrophe before these cells. A reader can remove this apostrophe again.
 */
const runs = /^[=+\-@\t\r'＝＋－＠]/;

function writeCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return `"${(runs.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export const writeExportLine = (line: ExportLine, format: ExportFormat): string =>
  format === 'csv' ? listCells(line).map(writeCell).join(',') : JSON.stringify(line);

const listCells = (line: ExportLine): (string | number | null)[] => {
  const { purse = null, shortfall = null, connection } = line;
  const later = {
    purse,
    shortfall,
    connection_id: connection?.id ?? null,
    connection: connection?.name ?? null,
  };
  return [...exportColumns.map((column) => line[column]), ...laterColumns.map((column) => later[column])];
};

/** The lines before the movements: the column names in CSV, and none in NDJSON. */
export const writeExportHead = (format: ExportFormat): string[] =>
  format === 'csv' ? [[...exportColumns, ...laterColumns].join(',')] : [];

/** The last line of an export. In CSV it starts with `#`, so that programs can skip it. */
export const writeExportSeal = (seal: unknown, format: ExportFormat): string =>
  format === 'csv' ? `# ${JSON.stringify(seal)}` : JSON.stringify(seal);

export const readExportSeal = (line: string): unknown => JSON.parse(line.replace(/^# /, ''));

export interface ExportSeal {
  readonly package_uid: string;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly movements: number;
  readonly totals: Readonly<Record<string, string>>;
  readonly sha256: string;
  readonly head_sequence: number;
  readonly head_hash: string;
}

/**
 * The MAC depends on the master key. So a person who can only write to the table and the file cannot forge
 * the MAC.
 */
export function makeMac(masterKey: MasterKey, seal: ExportSeal): string {
  return createHmac('sha256', masterKey.derive('export'))
    .update(JSON.stringify(canonical(seal)))
    .digest('hex');
}

const canonical = (seal: ExportSeal) => [
  seal.package_uid,
  seal.first_sequence,
  seal.last_sequence,
  seal.movements,
  Object.entries(seal.totals).sort(([a], [b]) => (a < b ? -1 : 1)),
  seal.sha256,
  seal.head_sequence,
  seal.head_hash,
];

export function hasTrueMac(masterKey: MasterKey, seal: ExportSeal, mac: string): boolean {
  const wanted = Buffer.from(makeMac(masterKey, seal), 'hex');
  return equalsInConstantTime(Buffer.from(mac, 'hex'), wanted);
}
