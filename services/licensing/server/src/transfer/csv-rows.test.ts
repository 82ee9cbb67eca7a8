// The CSV reader reads every file that a CSV writer wrote, however the bytes are split into chunks.
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Cells } from './cells.ts';
import { readCsvRows } from './csv-rows.ts';
import { writeList } from './list-cell.ts';
import type { ReadRow, Row } from './row.ts';

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'ä', '😀', 'a', ' ') }),
);

it('cells are read correctly, whatever line breaks, quotes and delimiters they contain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('\n', '\r\n'),
      async (records, chunk, end) => {
        const text = stringify([['a', 'b'], ...records], { record_delimiter: end, quoted: true });
        const bytes = Buffer.from(text);
        const chunks = [];
        for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
        const options = { fields: ['a', 'b'], map: new Map(), delimiter: ',', onUnknown: () => {} };
        const rows = [];
        for await (const row of readCsvRows(Readable.from(chunks), options)) rows.push(row);
        const unmarked = (each: string) => each.replace(/^'(?=['=+\-@\t\r＝＋－＠])/, '');
        expect(rows.map((row) => ('cells' in row ? row.cells : row))).toEqual(
          records.map(([a, b]) => ({ a: unmarked(a), b: unmarked(b) })),
        );
      },
    ),
  );
});

async function readAll(text: string): Promise<ReadRow[]> {
  const options = { fields: ['a', 'b'], map: new Map(), delimiter: ',', onUnknown: () => {} };
  const rows = [];
  for await (const row of readCsvRows(Readable.from([Buffer.from(text)]), options)) rows.push(row);
  return rows;
}

it.each([
  ['a,b,A \n1,2,3\n', 'the file has the column "a" twice'],
  ['x,y\n1,2\n', 'the file has none of the columns a, b; use --map to name its columns'],
  ['a\u0000,b\n1,2\n', 'the header line is not UTF-8 text'],
])('the file %j is refused because of its header', async (text, reason) => {
  await expect(readAll(text)).rejects.toThrow(reason);
});

it('a file may have two columns with the same name if no field is read from them', async () => {
  expect(await readAll('a,note,b,note\n1,x,2,y\n')).toEqual([{ line: 2, cells: { a: '1', b: '2' } }]);
});

it('a stray quote and a quote a thousand lines later make only their own two lines invalid', async () => {
  const between = Array.from({ length: 1000 }, (_, i) => `${i},x`);
  const rows = await readAll(['a,b', '1,"stray', ...between, 'x,late"', '2,y'].join('\n'));
  const bad = rows.filter((row) => 'problem' in row);
  expect(bad.map((row) => row.line)).toEqual([2, 1003]);
  expect(rows).toHaveLength(1003);
});

it('a cell of 900 lines is read', async () => {
  const cell = Array.from({ length: 900 }, (_, i) => `line ${i}`).join('\n');
  expect(await readAll(`a,b\n1,"${cell}"\n`)).toMatchObject([{ line: 2, cells: { b: cell } }]);
});

it("a problem in a row of several lines is reported with the row's first and last line", async () => {
  const [row] = await readAll('a,b\n1,"stray\n2,x\n3,late"\n');
  const cells = new Cells(row as Row);
  cells.refuse('b', 'must be short.');
  expect(cells.problems).toEqual([
    {
      line: 2,
      field: 'b',
      reason: 'must be short. The row continues to line 4; was a quote left open?',
    },
  ]);
});

const listEntry = fc
  .string({ unit: fc.constantFrom('|', '\\', 'a', 'ä'), minLength: 1 })
  .filter((each) => each.trim() === each);
const readList = (cell: string) =>
  new Cells({ line: 1, cells: { list: cell } }).list('list', { entries: 50, length: 1000 });

it('a written list has the same entries when it is read again, also with `|` and backslashes', () => {
  fc.assert(
    fc.property(fc.array(listEntry, { maxLength: 8 }), (entries) => {
      expect(readList(writeList(entries))).toEqual(entries);
    }),
  );
});

it('a backslash that escapes nothing is part of the text of a list entry', () => {
  expect(readList('a | b|c:\\d|\\e|')).toEqual(['a', 'b', 'c:\\d', '\\e']);
});
