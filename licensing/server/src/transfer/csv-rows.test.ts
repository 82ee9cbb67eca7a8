// What a writer of CSV writes, our reader reads, however the bytes are cut into chunks.
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCsvRows } from './csv-rows.ts';

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'ä', '😀', 'a', ' ') }),
);

it('any cells come back, line breaks, quotes and delimiters in them too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('\n', '\r\n'),
      async (records, chunk, end) => {
        const text = stringify([['a', 'b'], ...records], { record_delimiter: end, quoted: true });
        const bytes = Buffer.from(text);
        const chunks = [];
        for (let at = 0; at < bytes.length; at += chunk)
          chunks.push(bytes.subarray(at, at + chunk));
        const options = { fields: ['a', 'b'], map: new Map(), delimiter: ',' };
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
