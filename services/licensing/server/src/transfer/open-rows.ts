// Opens a file of rows, CSV or NDJSON by its ending, and tells how much of it was read.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { readCsvRows } from './csv-rows.ts';
import { readNdjsonRows } from './ndjson-rows.ts';
import type { Aliases, ColumnMap, ReadRow } from './row.ts';
import { type UnknownColumn, UnknownColumns } from './unknown-columns.ts';

export type Format = 'csv' | 'ndjson';

export interface OpenRows {
  readonly rows: AsyncIterable<ReadRow>;
  /** From 0 to 1. */
  readonly part: () => number;
  /** Columns that were read so far and that no field is for. */
  readonly unknownColumns: () => readonly UnknownColumn[];
  /** How many such columns there are; `unknownColumns` names the first 50 of them. */
  readonly unknownColumnCount: () => number;
}

export interface OpenOptions {
  readonly format: Format;
  readonly delimiter: string;
  readonly fields: readonly string[];
  readonly map: ColumnMap;
  readonly aliases?: Aliases;
  /** Columns that such files have and that are of no use, in lower case: nobody is told of them. */
  readonly ignored?: readonly string[];
  /** The names that an unknown column may have been meant as; the fields, unless told. */
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

/** `--map code='Purchase Code'`: our field, then the file's column. */
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
