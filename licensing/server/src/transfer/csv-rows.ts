// Rows of a CSV file, one by one; a broken row is reported and the next one read.
import type { Readable } from 'node:stream';
import { CommandRefused } from '@counterfoil/kit/local-environment';
import { type CsvError, type Info, parse } from 'csv-parse';
import { type BadRow, type ColumnMap, maxRowBytes, type ReadRow } from './row.ts';

interface Columns {
  readonly count: number;
  /** Field and place of each column that is of use. */
  readonly wanted: readonly (readonly [field: string, place: number])[];
}

export async function* readCsvRows(
  source: Readable,
  options: { fields: readonly string[]; map: ColumnMap; delimiter: string },
): AsyncGenerator<ReadRow> {
  const skipped: BadRow[] = [];
  let columns: Columns | undefined;
  let lastLine = 0;
  const parser = parse({
    bom: true,
    delimiter: options.delimiter,
    info: true,
    max_record_size: maxRowBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (!error) return;
      skipped.push(describeSkipped(error));
      endQuote(parser);
    },
  });
  source.once('error', (error) => parser.destroy(error));
  for await (const { info, record } of source.pipe(parser) as AsyncIterable<{
    info: Info;
    record: string[];
  }>) {
    yield* skipped.splice(0);
    const line = lastLine + 1;
    lastLine = info.lines;
    if (columns) yield readRow(line, record, columns);
    else columns = findColumns(record, options);
  }
  yield* skipped;
  if (!columns) throw new CommandRefused('the file has no header line');
}

/**
 * The parser passes over a row with a broken quote but goes on reading inside that quote, and would
 * take the next rows for a part of it.
 */
function endQuote(parser: object): void {
  const { state } = parser as { state?: { quoting?: boolean } };
  if (state) state.quoting = false;
}

const describeSkipped = (error: CsvError): BadRow => ({
  line: Number((error as CsvError & { lines?: number }).lines ?? 0),
  problem:
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `is longer than ${maxRowBytes} bytes, or has a quote that is never closed.`
      : 'is no CSV: a quote stands where none may.',
});

function findColumns(
  header: readonly string[],
  { fields, map }: { fields: readonly string[]; map: ColumnMap },
): Columns {
  const names = header.map((name) => name.trim().toLowerCase());
  const wanted: [string, number][] = [];
  for (const field of fields) {
    const mapped = map.get(field);
    const place = names.indexOf((mapped ?? field).trim().toLowerCase());
    if (place !== -1) wanted.push([field, place]);
    else if (mapped !== undefined)
      throw new CommandRefused(`the file has no column ${JSON.stringify(mapped)}`);
  }
  return { count: names.length, wanted };
}

/** What an export of ours puts before a cell that a spreadsheet would run. */
const neutralised = /^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

function readRow(line: number, record: readonly string[], { count, wanted }: Columns): ReadRow {
  if (record.length !== count)
    return { line, problem: `has ${record.length} cells where the header has ${count}.` };
  const cells: Record<string, string> = {};
  for (const [field, place] of wanted) {
    const cell = record[place] ?? '';
    cells[field] = cell.startsWith("'") ? cell.replace(neutralised, '') : cell;
  }
  return { line, cells };
}
