// Reads the rows of a CSV file; a broken row is reported, and reading continues.
import type { Readable } from 'node:stream';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type CsvRecord, RecordReader } from './csv-record.ts';
import { splitLines } from './lines.ts';
import {
  type BadRow,
  type ColumnOptions,
  differs,
  fieldOf,
  maxRowBytes,
  namesOf,
  type ReadRow,
} from './row.ts';

interface Columns {
  readonly count: number;
  /** The field and the index of each column that is read. */
  readonly wanted: readonly (readonly [field: string, index: number])[];
  /**
   * Further columns for a field that is read from another column. In each row, the cell of a further column
   * must be empty or equal to the cell of the column from which the field is read.
   */
  readonly seconds: readonly (readonly [field: string, index: number, column: string])[];
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

async function* readRecords(source: Readable, reader: RecordReader): AsyncGenerator<CsvRecord | BadRow> {
  let line = 0;
  for await (const bytes of splitLines(source)) {
    line++;
    if (bytes === 'too long') {
      yield* reader.end();
      yield { line, problem: `is longer than ${maxRowBytes} bytes.` };
      continue;
    }
    const text = bytes.toString('utf8');
    yield* reader.add({ line, text: line === 1 ? text.replace(/^\ufeff/, '') : text });
  }
  yield* reader.end();
}

function findColumns(header: readonly string[], options: ColumnOptions): Columns {
  const { fields, map } = options;
  // NUL characters show that the file is in UTF-16, which is refused.
  if (header.some((name) => name.includes('\u0000')))
    throw new CommandRefused('the header line is not UTF-8 text');
  const names = header.map((name) => name.trim().toLowerCase());
  const wanted = new Map<string, number>();
  for (const field of fields) {
    const candidates = namesOf(field, options).map((name) => name.trim().toLowerCase());
    const name = candidates.find((each) => names.includes(each));
    const index = name === undefined ? -1 : names.indexOf(name);
    if (name !== undefined && index !== names.lastIndexOf(name))
      throw new CommandRefused(`the file has the column ${JSON.stringify(map.get(field) ?? name)} twice`);
    if (index !== -1) wanted.set(field, index);
    else if (map.has(field))
      throw new CommandRefused(`the file has no column ${JSON.stringify(map.get(field))}`);
  }
  if (wanted.size === 0)
    throw new CommandRefused(
      `the file has none of the columns ${fields.join(', ')}; use --map to name its columns`,
    );
  const seconds: [string, number, string][] = [];
  const read = new Set(wanted.values());
  for (const [index, heading] of header.entries()) {
    if (read.has(index)) continue;
    const column = heading.trim();
    const secondFor = fieldOf(column.toLowerCase(), options);
    options.onUnknown(column, { position: index + 1, secondFor });
    // If the user has mapped the field to a column, the other columns for this field may have any value.
    if (secondFor !== undefined && !map.has(secondFor)) seconds.push([secondFor, index, column]);
  }
  return { count: names.length, wanted: [...wanted], seconds };
}

/**
 * Our export puts an apostrophe before each cell that a spreadsheet would run as a formula. The import
 * removes this apostrophe.
 */
const neutralised = /^'(?=['=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

function readRow({ line, lastLine, cells: record }: CsvRecord, { count, wanted, seconds }: Columns): ReadRow {
  if (record.length !== count)
    return { line, problem: `has ${record.length} cells where the header has ${count}.` };
  const cells: Record<string, string> = {};
  for (const [field, index] of wanted) cells[field] = readCell(record[index]);
  const conflicts = seconds
    .filter(([field, index]) => differs(readCell(record[index]), cells[field]))
    .map(([field, , column]) => ({ field, column }));
  return { line, ...(lastLine > line && { lastLine }), cells, ...(conflicts.length > 0 && { conflicts }) };
}

const readCell = (cell = ''): string => (cell.startsWith("'") ? cell.replace(neutralised, '') : cell);
