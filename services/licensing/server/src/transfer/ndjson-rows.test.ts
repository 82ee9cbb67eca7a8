// The NDJSON reader reads numbers exactly or refuses them, and reports contradicting members.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Cells } from './cells.ts';
import { readNdjsonRows } from './ndjson-rows.ts';
import type { ReadRow, Row } from './row.ts';

async function readAmount(line: string): Promise<Cells & { read: string | undefined }> {
  const options = { fields: ['price', 'note'], map: new Map(), onUnknown: () => {} };
  for await (const row of readNdjsonRows(Readable.from([Buffer.from(line)]), options)) {
    const cells = new Cells(row as Row);
    const read = cells.amount('price');
    return Object.assign(cells, { read });
  }
  throw new Error('there is no row');
}

it.each([
  '19.990000000000000001',
  '0.07000000000000000001',
  '9007199254740993',
  '99999999999999.99512',
  '1.0000000000000000000000001e2',
  '-0.30000000000000000001',
  '1e400',
])('an amount of %s is refused instead of rounded', async (number) => {
  const { read, problems } = await readAmount(`{"price":${number}}`);
  expect(read).toBeUndefined();
  expect(problems).toEqual([
    { line: 1, field: 'price', reason: 'must be a text: this number may not be exact.' },
  ]);
});

it.each([
  ['19.99', '19.99'],
  ['5.50', '5.5'],
  ['19.990000000000000000', '19.99'],
  ['1999e-2', '19.99'],
  ['9007199254740991', '9007199254740991'],
  ['999999999999.995', '999999999999.995'],
  ['0.0000000000000000', '0'],
])('an amount of %s is read as %s', async (number, text) => {
  const { read, problems } = await readAmount(`{"price":${number}}`);
  expect({ read, problems }).toEqual({ read: text, problems: [] });
});

it('a text may contain a number that is too long to be read exactly', async () => {
  const line = String.raw`{"note":"say \"1.00000000000000000001\", or","price":"5.00"}`;
  const cells = await readAmount(line);
  expect(cells.read).toBe('5.00');
  expect(cells.text('note', 100)).toBe('say "1.00000000000000000001", or');
});

async function readOne(line: string): Promise<ReadRow | undefined> {
  const options = {
    fields: ['price', 'note'],
    map: new Map([['note', 'Note']]),
    onUnknown: () => {},
  };
  for await (const row of readNdjsonRows(Readable.from([Buffer.from(line)]), options)) return row;
  return undefined;
}

it.each([
  '{"price":1,"price":2}',
  '{"price":1,"Note":"a","pri\\u0063e":2}',
  '{"Note":"a","price":1,"Note":null}',
])('a field that is repeated with different values is reported: %s', async (line) => {
  const problem = expect.stringMatching(/^names (?:price|Note) twice, with different values\.$/);
  expect(await readOne(line)).toEqual({ line: 1, problem });
});

it.each(['{"price":1,"price":1}', '{"price":1,"x":{"price":2},"y":[{"price":3}],"z":"\\"price\\":4","x":5}'])(
  'a line is accepted if its second price has an equal value or is in a nested object: %s',
  async (line) => {
    expect(await readOne(line)).toEqual({ line: 1, cells: { price: 1 } });
  },
);
