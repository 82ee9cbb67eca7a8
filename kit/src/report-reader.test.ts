// Reports come from a replica only while it is there and near, and say how old they may be.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Db, openDb } from './db.ts';
import { createMetrics } from './metrics.ts';
import { createReportReader } from './report-reader.ts';
import { captureLog } from './testing/captured-log.ts';
import { createTestDatabase, type TestDatabase } from './testing/databases.ts';

let primary: TestDatabase;
let replica: TestDatabase;
let db: Db;
const registry = createMetrics('test');
const { logger } = captureLog('test');

beforeAll(async () => {
  primary = await createTestDatabase(inject('testServer'));
  replica = await createTestDatabase(inject('testServer'));
  db = openDb({ url: primary.url, applicationName: 'reports test' });
});
afterAll(async () => {
  await db.end();
  await primary.drop();
  await replica.drop();
});

const nameOf = async (source: Db) =>
  (await source.query<{ name: string }>('select current_database() as name')).rows[0]?.name;
const nameIn = (database: TestDatabase) => new URL(database.url).pathname.slice(1);

it('without a replica everything is read at the primary, and nothing is said of a lag', async () => {
  const reports = createReportReader({ db, replica: undefined, logger, registry });
  const { result, headers } = await reports.read(nameOf);
  expect([result, headers]).toEqual([nameIn(primary), {}]);
});

it('a replica that is near is read, with its lag told in the answer and in the metrics; one that is gone is not', async () => {
  // Another database of the same server: no standby, and so not behind.
  const near = { url: replica.url, maxLagMs: 30_000 };
  const reports = createReportReader({ db, replica: near, logger, registry });
  await reports.look();
  const { result, headers } = await reports.read(nameOf);
  expect(result).toBe(nameIn(replica));
  expect(headers).toEqual({ 'x-replica-lag-seconds': expect.stringMatching(/^\d+\.\d$/) });
  expect(await registry.metrics()).toMatch(/^replica_lag_seconds\{.*\} 0/m);

  await replica.drop();
  const again = await reports.read(nameOf);
  expect([again.result, again.headers]).toEqual([nameIn(primary), {}]);
  await reports.look();
  expect(reports.choose().db).toBe(db);
  expect(await registry.metrics()).toMatch(/^replica_lag_seconds\{.*\} Nan/im);
  await reports.close();
});
