// Rows are read with camelCase fields, and a field whose column is null is absent.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { type Db, openDb } from './db.ts';
import { fromRow, queryRow, queryRows } from './rows.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  db = openDb({ url: database.url, applicationName: 'rows test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

const text = `select n as id, 'x' as preview_image_url, nullif(n, 2) as sold_at
  from generate_series(1, $1::bigint) as n`;

it('snake_case columns are read as camelCase fields, and columns that are null are omitted', async () => {
  const rows = await queryRows(db, text, [2n]);
  expect(rows).toStrictEqual([
    { id: 1n, previewImageUrl: 'x', soldAt: 1n },
    { id: 2n, previewImageUrl: 'x' },
  ]);
});

it('a query for one row returns the row, or undefined if there is none', async () => {
  expect(await queryRow(db, { text, values: [2n] })).toStrictEqual({
    id: 1n,
    previewImageUrl: 'x',
    soldAt: 1n,
  });
  expect(await queryRow(db, text, [0n])).toBeUndefined();
});

it('values are read unchanged, including zero, false, empty texts and JSON documents', () => {
  const created_at = new Date(0);
  const row = { created_at, total: 0, is_pending: false, note: '', details: { old_name: null } };
  expect(fromRow(row)).toStrictEqual({
    createdAt: created_at,
    total: 0,
    isPending: false,
    note: '',
    details: { old_name: null },
  });
});
