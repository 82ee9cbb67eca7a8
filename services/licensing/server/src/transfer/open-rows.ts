// Opens a CSV or NDJSON file, and reports how much of it was read.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { readCsvRows } from './csv-rows.ts';
import { readNdjsonRows } from './ndjson-rows.ts';
import type { Aliases, ColumnMap, ReadRow } from './row.ts';
import { type UnknownColumn, UnknownColumns } from './unknown-columns.ts';

export type Format = 'csv' | 'ndjson';

export interface OpenRows {
  readonly rows: AsyncIterable<ReadRow>;
  /** The fraction of the file that was read, from 0 to 1. */
  readonly part: () => number;
  /** The first 50 columns found so far that are not read. */
  readonly unknownColumns: () => readonly UnknownColumn[];
  /** The number of all columns found so far that are not read. */
  readonly unknownColumnCount: () => number;
}

export interface OpenOptions {
  readonly format: Format;
  readonly delimiter: string;
  readonly fields: readonly string[];
  readonly map: ColumnMap;
  readonly aliases?: Aliases;
  /** Columns that are neither read nor reported as unknown. Their names are in lower case. */
  readonly ignored?: readonly string[];
  /** Names that may be suggested for an unknown column. The default is the names of the fields. */
  readonly suggested?: readonly string[];
}

export function formatOf(file: string): Format {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CommandRefused(`${file} ends neither in .csv nor in .ndjson or .jsonl; use --format`);
}

export async function openRows(file: string, options: OpenOptions): Promise<OpenRows> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new CommandRefused(`there is no file ${file}`);
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const unknown = new UnknownColumns(options.suggested ?? options.fields, options.ignored);
  const columns = { ...options, onUnknown: unknown.add };
  const read = options.format === 'csv' ? readCsvRows : readNdjsonRows;
  return {
    rows: read(source, columns),
    unknownColumns: () => unknown.list(),
    unknownColumnCount: () => unknown.count,
    part: () => Math.min(1, source.bytesRead / Math.max(1, found.size)),
  };
}

/** Parses entries such as `code=Purchase Code`: our field, then the column of the file. */
export function parseMap(entries: readonly string[], fields: readonly string[]): ColumnMap {
  const map = new Map<string, string>();
  for (const entry of entries) {
    const [, field = '', column = ''] = /^([a-z_]+)=(.+)$/s.exec(entry) ?? [];
    if (!fields.includes(field))
      throw new CommandRefused(`--map ${entry}: the fields are ${fields.join(', ')}`);
    if (map.has(field)) throw new CommandRefused(`--map names ${field} twice`);
    map.set(field, column);
  }
  return map;
}
