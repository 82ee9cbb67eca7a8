// Rows of a CSV file, one by one; a broken row is reported and the next one read.
import type { Readable } from 'node:stream';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { type CsvRecord, RecordReader } from './csv-record.ts';
import { splitLines } from './lines.ts';
import { type BadRow, type ColumnOptions, maxRowBytes, namesOf, type ReadRow } from './row.ts';

interface Columns {
  readonly count: number;
  /** Field and place of each column that is of use. */
  readonly wanted: readonly (readonly [field: string, place: number])[];
}

export async function* readCsvRows(
  source: Readable,
  options: ColumnOptions & { delimiter: string },
): AsyncGenerator<ReadRow> {
  const reader = new RecordReader(options.delimiter);
  let columns: Columns | undefined;
  for await (const record of readRecords(source, reader)) {
    if (columns) yield 'problem' in record ? record : readRow(record, columns);
    else {
      if ('problem' in record) throw new CommandRefused(`the header line ${record.problem}`);
      columns = findColumns(record.cells, options);
      reader.cellCount = columns.count;
    }
  }
  if (!columns) throw new CommandRefused('the file has no header line');
}

async function* readRecords(
  source: Readable,
  reader: RecordReader,
): AsyncGenerator<CsvRecord | BadRow> {
  let line = 0;
  for await (const bytes of splitLines(source)) {
    line++;
    if (bytes === 'too long') {
      yield* reader.end();
      yield { line, problem: `is longer than ${maxRowBytes} bytes.` };
      continue;
    }
    const text = bytes.toString('utf8');
    yield* reader.take({ line, text: line === 1 ? text.replace(/^\ufeff/, '') : text });
  }
  yield* reader.end();
}

function findColumns(header: readonly string[], options: ColumnOptions): Columns {
  const { fields, map } = options;
  // A file in UTF-16 is full of them.
  if (header.some((name) => name.includes('\u0000')))
    throw new CommandRefused('the header line is not UTF-8 text');
  const names = header.map((name) => name.trim().toLowerCase());
  const wanted: [string, number][] = [];
  for (const field of fields) {
    const candidates = namesOf(field, options).map((name) => name.trim().toLowerCase());
    const name = candidates.find((each) => names.includes(each));
    const place = name === undefined ? -1 : names.indexOf(name);
    if (name !== undefined && place !== names.lastIndexOf(name))
      throw new CommandRefused(
        `the file has the column ${JSON.stringify(map.get(field) ?? name)} twice`,
      );
    if (place !== -1) wanted.push([field, place]);
    else if (map.has(field))
      throw new CommandRefused(`the file has no column ${JSON.stringify(map.get(field))}`);
  }
  if (wanted.length === 0)
    throw new CommandRefused(
      `the file has none of the columns ${fields.join(', ')}; --map says which of its own they are`,
    );
  const places = new Set(wanted.map(([, place]) => place));
  for (const [place, name] of header.entries()) {
    if (!places.has(place)) options.onUnknown(name.trim(), place + 1);
  }
  return { count: names.length, wanted };
}

/** What an export of ours puts before a cell that a spreadsheet would run, or that starts so itself. */
const neutralised = /^'(?=['=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

function readRow(
  { line, lastLine, cells: record }: CsvRecord,
  { count, wanted }: Columns,
): ReadRow {
  if (record.length !== count)
    return { line, problem: `has ${record.length} cells where the header has ${count}.` };
  const cells: Record<string, string> = {};
  for (const [field, place] of wanted) {
    const cell = record[place] ?? '';
    cells[field] = cell.startsWith("'") ? cell.replace(neutralised, '') : cell;
  }
  return lastLine > line ? { line, lastLine, cells } : { line, cells };
}
