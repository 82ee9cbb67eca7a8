// Rows in the binary format of COPY, sent to a real PostgreSQL.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { createCopyRows } from './copy-rows.ts';
import { DatabaseUnavailableError, type Db, openDb } from './db.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  // One connection: each test also shows that the connection is usable after the test before it.
  db = openDb({ url: database.url, applicationName: 'copy test', maxConnections: 1 });
  await db.query(
    `create table rows (id int primary key, small smallint, at timestamptz, name text, names text[])`,
  );
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

const at = new Date('1999-12-31T23:59:59.123Z');

const encode = (ids: readonly number[], text = 'a') => {
  const rows = createCopyRows();
  for (const id of ids) {
    rows.begin(5);
    rows.putInteger(id);
    rows.putSmallint(-id);
    rows.putTime(at);
    rows.putText(text);
    rows.putTexts(id % 2 === 0 ? [] : [text, '']);
  }
  return rows.finish();
};

const copy = (rows: Buffer) =>
  db.transaction((tx) =>
    tx.copyIn('copy rows (id, small, at, name, names) from stdin (format binary)', rows),
  );

it('the database reads back every value as it was written', async () => {
  const text = '"ä€😀\\\n\t';
  await copy(encode([1, 2], text));
  expect((await db.query('select * from rows order by id')).rows).toEqual([
    { id: 1, small: -1, at, name: text, names: [text, ''] },
    { id: 2, small: -2, at, name: text, names: [] },
  ]);
  await db.query('delete from rows');
});

it('many rows with long texts are written, and no row at all is valid', async () => {
  await copy(encode([]));
  const ids = Array.from({ length: 1000 }, (_, i) => i);
  await copy(encode(ids, '€'.repeat(2000)));
  const { rows } = await db.query(
    'select count(*)::int as n, sum(length(name))::int as length, sum(id)::int as ids from rows',
  );
  expect(rows).toEqual([{ n: 1000, length: 2_000_000, ids: 499_500 }]);
  await db.query('delete from rows');
});

it('a row that the database refuses stores no row, and the connection stays usable', async () => {
  await expect(copy(encode([1, 2, 1]))).rejects.toMatchObject({ code: '23505' });
  await expect(copy(Buffer.from('no rows'))).rejects.toMatchObject({ code: '22P04' });
  expect((await db.query('select * from rows')).rows).toEqual([]);
});

it('a connection that is lost during COPY is reported as an unavailable database', async () => {
  const lost = db.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    const other = openDb({ url: database.url, applicationName: 'copy test' });
    await other.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await other.end();
    await tx.copyIn('copy rows (id) from stdin (format binary)', encode([]));
  });
  await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
  await copy(encode([7]));
  expect((await db.query('select id from rows')).rows).toEqual([{ id: 7 }]);
});
