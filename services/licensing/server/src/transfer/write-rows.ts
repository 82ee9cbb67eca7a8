// Writes rows as CSV or NDJSON to a file or to standard output.
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { stringify } from 'csv-stringify';
import { writeList } from './list-cell.ts';
import type { Format } from './open-rows.ts';

export type Value = string | number | boolean | readonly string[];
export type OutRow = Readonly<Record<string, Value>>;

/**
 * The export puts an apostrophe before a formula, and the import removes the apostrophe. A cell that already
 * begins with an apostrophe gets a second one, so that the import leaves the original apostrophe.
 */
const markQuote = (text: string) => (text.startsWith("'") ? `'${text}` : text);

/**
 * Writes cells that never run as formulas in a spreadsheet, even if the spreadsheet splits lines at
 * semicolons and tabs.
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

/** Creates a stream that converts rows to text. */
export const createRowWriter = (format: Format, columns: readonly string[]): Transform =>
  format === 'csv' ? createCsvWriter(columns) : createNdjsonWriter();

/** Writes rows to a file, or to standard output if no file is given. */
export async function writeRows(
  rows: AsyncIterable<OutRow>,
  options: { file: string | undefined; format: Format; columns: readonly string[] },
): Promise<void> {
  const writer = createRowWriter(options.format, options.columns);
  const { file } = options;
  if (file === undefined) await pipeline(Readable.from(rows), writer, process.stdout, { end: false });
  else await pipeline(Readable.from(rows), writer, (await openPrivate(file)).createWriteStream());
}

/** Makes a new or existing file readable only for its owner, because it will contain personal data. */
async function openPrivate(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'w', 0o600);
    if ((await handle.stat()).isFile()) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    throw new CommandRefused(`${file} cannot be written: ${(error as Error).message}`);
  }
}
