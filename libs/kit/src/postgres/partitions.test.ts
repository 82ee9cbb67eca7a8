// Partitions by day and by month are created in advance and dropped when they are old. Any number of
// processes may create and drop them at the same time.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { type Db, openDb } from './db.ts';
import { ensurePartitions, isMissingPartition, keepPartitions } from './partitions.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  db = openDb({ url: database.url, applicationName: 'partitions test', maxConnections: 8 });
  await db.query('create table by_day (at timestamptz not null) partition by range (at)');
  await db.query('create table by_month (at timestamptz not null) partition by range (at)');
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

const byDay = { name: 'by_day', unit: 'day', keep: 2, ahead: 1 } as const;
const byMonth = { name: 'by_month', unit: 'month', keep: 1, ahead: 1 } as const;

async function listTables(): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class where relispartition order by 1`,
  );
  return rows.map((row) => row.name);
}

const write = (at: string) => db.query('insert into by_day values ($1)', [at]);

it('the current and future partitions are created, even across the end of a year', async () => {
  await keepPartitions(db, [byDay, byMonth], new Date('2026-12-31T23:59:59.999Z'));
  expect(await listTables()).toEqual([
    'by_day_20261231',
    'by_day_20270101',
    'by_month_202612',
    'by_month_202701',
  ]);
  await write('2026-12-31T23:59:59.999Z');
  await write('2027-01-01T23:59:59.999Z');
});

it('the error of a missing partition is recognized, and the partition is created', async () => {
  const at = new Date('2027-01-02T00:00:00Z');
  const error = await write(at.toISOString()).catch((thrown: unknown) => thrown);
  expect(isMissingPartition(error)).toBe(true);
  expect(isMissingPartition(new Error('no'))).toBe(false);
  await Promise.all([1, 2, 3].map(() => ensurePartitions(db, byDay, [at, at])));
  await write(at.toISOString());
});

it('eight concurrent calls drop only old partitions', async () => {
  const now = new Date('2027-01-03T12:00:00Z');
  await Promise.all(Array.from({ length: 8 }, () => keepPartitions(db, [byDay, byMonth], now)));
  expect(await listTables()).toEqual([
    'by_day_20270101',
    'by_day_20270102',
    'by_day_20270103',
    'by_day_20270104',
    'by_month_202612',
    'by_month_202701',
    'by_month_202702',
  ]);
  const { rows } = await db.query<{ count: bigint }>('select count(*) from by_day');
  expect(rows[0]?.count).toBe(2n);
});
