// Writes rows to a file as CSV or NDJSON, as they come.
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { stringify } from 'csv-stringify';
import { writeList } from './list-cell.ts';
import type { Format } from './open-rows.ts';

export type Value = string | number | boolean | readonly string[];
export type OutRow = Readonly<Record<string, Value>>;

/** The mark that keeps a cell from running, when the cell itself starts with it, is marked too. */
const markQuote = (text: string) => (text.startsWith("'") ? `'${text}` : text);

/**
 * No cell may run as a formula in the spreadsheet of whoever opens the file, also where it takes
 * semicolons and tabs for ends of cells as well.
 */
const createCsvWriter = (columns: readonly string[]): Transform =>
  stringify({
    header: true,
    columns: [...columns],
    escape_formulas: true,
    quoted_match: /[;\t]/,
    cast: {
      boolean: (value) => String(value),
      string: markQuote,
      object: (value) => markQuote(writeList(value as unknown as string[])),
    },
  });

const createNdjsonWriter = (): Transform =>
  new Transform({
    writableObjectMode: true,
    transform: (row: OutRow, _encoding, done) => done(null, `${JSON.stringify(row)}\n`),
  });

/** Rows in, text out. */
export const createRowWriter = (format: Format, columns: readonly string[]): Transform =>
  format === 'csv' ? createCsvWriter(columns) : createNdjsonWriter();

/** Without a file it goes to the standard output. */
export async function writeRows(
  rows: AsyncIterable<OutRow>,
  options: { file: string | undefined; format: Format; columns: readonly string[] },
): Promise<void> {
  const writer = createRowWriter(options.format, options.columns);
  const { file } = options;
  if (file === undefined)
    await pipeline(Readable.from(rows), writer, process.stdout, { end: false });
  else await pipeline(Readable.from(rows), writer, (await openPrivate(file)).createWriteStream());
}

/** It holds personal data: for nobody's eyes but its owner's, also where it was there before. */
async function openPrivate(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'w', 0o600);
    if ((await handle.stat()).isFile()) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    throw new CommandRefused(`${file} cannot be written: ${(error as Error).message}`);
  }
}
