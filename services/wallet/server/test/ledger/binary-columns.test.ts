// The database reads the values of a binary column unchanged, for all edge cases and lengths.
import { createHash } from 'node:crypto';
import {
  type BinaryColumn,
  bigintColumn,
  binaryTextColumn,
  hashColumn,
  integerColumn,
  realColumn,
  smallintColumn,
  timeColumn,
  uuidColumn,
} from '@counterfoil/kit/postgres/binary-columns';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'wallet');
  db = openDb({ url: database.url, applicationName: 'columns test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

/** Sends the values as a binary column and returns each element as text, as the database reads it. */
async function read<Value>(
  type: string,
  column: BinaryColumn<Value>,
  values: readonly (Value | undefined)[],
): Promise<(string | null)[]> {
  for (const value of values) column.push(value);
  const { rows } = await db.query<{ read: (string | null)[] }>({
    name: `read_${type}`,
    text: `select $1::${type}[]::text[] as read`,
    values: [column.value()],
  });
  return rows[0]?.read ?? [];
}

const most = 2n ** 63n - 1n;
const sha = (text: string) => createHash('sha256').update(text).digest();
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const list = <Value>(value: fc.Arbitrary<Value>) => fc.array(optional(value), { maxLength: 300 });
const show = (value: unknown) => (value === undefined ? null : String(value));

const cases = {
  smallint: () =>
    fc.asyncProperty(list(fc.integer({ min: -32_768, max: 32_767 })), async (values) => {
      expect(await read('smallint', smallintColumn(), values)).toEqual(values.map(show));
    }),
  integer: () =>
    fc.asyncProperty(list(fc.integer()), async (values) => {
      expect(await read('integer', integerColumn(), values)).toEqual(values.map(show));
    }),
  real: () =>
    fc.asyncProperty(list(fc.float({ noNaN: true })), async (values) => {
      const texts = await read('real', realColumn(), values);
      // PostgreSQL writes the fewest digits that identify the 32-bit number.
      expect(texts.map((text) => (text === null ? undefined : Math.fround(Number(text))))).toEqual(values);
    }),
  bigint: () =>
    fc.asyncProperty(list(fc.bigInt({ min: -most, max: most })), async (values) => {
      expect(await read('bigint', bigintColumn(), values)).toEqual(values.map(show));
    }),
  uuid: () =>
    fc.asyncProperty(list(fc.string()), async (texts) => {
      const ids = texts.map((text) => text && sha(text).toString('hex').slice(0, 32));
      const found = await read(
        'uuid',
        uuidColumn(),
        ids.map((id) => id || undefined),
      );
      expect(found.map((id) => id?.replaceAll('-', ''))).toEqual(ids.map((id) => id || undefined));
    }),
  bytea: () =>
    fc.asyncProperty(list(fc.string()), async (texts) => {
      const hashes = texts.map((text) => (text === undefined ? undefined : sha(text)));
      const hex = hashes.map((hash) => (hash ? `\\x${hash.toString('hex')}` : null));
      expect(await read('bytea', hashColumn(), hashes)).toEqual(hex);
    }),
  text: () =>
    fc.asyncProperty(list(fc.string({ unit: 'grapheme', maxLength: 80 })), async (texts) => {
      // PostgreSQL stores no NUL.
      const stored = texts.map((text) => text?.replaceAll('\0', ''));
      expect(await read('text', binaryTextColumn(), stored)).toEqual(stored.map(show));
    }),
  timestamptz: () =>
    fc.asyncProperty(
      list(fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })),
      async (times) => {
        const found = await read('timestamptz', timeColumn(), times);
        expect(found.map((time) => time && new Date(time).getTime())).toEqual(
          times.map((time) => time?.getTime() ?? null),
        );
      },
    ),
};

it.each(Object.keys(cases) as (keyof typeof cases)[])(
  'the database reads random values of type %s unchanged',
  async (type) => {
    await fc.assert(cases[type]() as fc.IAsyncProperty<unknown>, { numRuns: 60 });
  },
);

it('the database reads the largest numbers, NULL, a UUID and an empty column unchanged', async () => {
  expect(await read('bigint', bigintColumn(), [most, -most, 0n, -1n, undefined])).toEqual([
    ...[String(most), String(-most), '0', '-1', null],
  ]);
  expect(await read('uuid', uuidColumn(), ['0123456789abcdef'.repeat(2)])).toEqual([
    '01234567-89ab-cdef-0123-456789abcdef',
  ]);
  expect(await read('integer', integerColumn(), [])).toEqual([]);
});

it.each([63, 64, 65, 128, 129, 5000])('the database reads a column of %s elements unchanged', async (n) => {
  const values = Array.from({ length: n }, (_, i) => (i % 7 === 0 ? undefined : BigInt(i)));
  expect(await read('bigint', bigintColumn(), values)).toEqual(values.map(show));
});

it('the database reads long texts, empty texts and texts that look like NULL unchanged', async () => {
  const texts = ['', 'NULL', '{"a":"\\"b\\\\"}', 'ä€😀'.repeat(20_000), undefined, '\n', 'x'.repeat(300_000)];
  expect(await read('text', binaryTextColumn(), texts)).toEqual(texts.map(show));
  expect(await read('text', binaryTextColumn(), [])).toEqual([]);
});

it.each([most + 1n, -most - 1n, 2n ** 64n])(
  'a bigint column refuses %s, which is out of its range',
  (value) => {
    expect(() => bigintColumn().push(value)).toThrow(RangeError);
  },
);
