// Readiness reports the state of the database, not the load of the connection pool.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type App, buildApp } from '../http/app.ts';
import { defineErrors, transportErrors } from '../http/errors.ts';
import { type Db, openDb } from '../postgres/db.ts';
import { migrate } from '../postgres/migrate.ts';
import { captureLog } from '../testing/captured-log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { eventually } from '../testing/eventually.ts';
import { type Readiness, serveReadiness } from './health.ts';

const errors = defineErrors(transportErrors);
const { logger } = captureLog('test');
const first = { name: '0001_create_a.sql', sql: 'create table a (id int)' };
const readiness: Readiness = { draining: false };
let database: TestDatabase;
let db: Db;
let app: App;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  await migrate({ url: database.url, migrations: [first] });
  db = openDb({ url: database.url, applicationName: 'health test', maxConnections: 1 });
  app = buildApp({ errors, logger });
  const { url } = database;
  serveReadiness(app, { service: 'test', url, migrations: [first], errors, readiness });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await db.end();
  await database.dispose();
});

const ask = async () => (await app.inject('/readyz')).statusCode;
const readers = async () => {
  const { rows } = await db.query<{ count: bigint }>(
    `select count(*) from pg_stat_activity
     where application_name = 'counterfoil readiness' and datname = current_database()`,
  );
  return Number(rows[0]?.count);
};

it('concurrent readiness requests share one query on one connection', async () => {
  expect(await Promise.all(Array.from({ length: 200 }, ask))).toEqual(Array(200).fill(200));
  expect(await readers()).toBe(1);
});

it('the readiness check opens a new connection after its connection was lost', async () => {
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'counterfoil readiness' and datname = current_database()`,
  );
  await eventually(async () => expect(await ask()).toBe(200));
});

it('a service is not ready while a migration is missing or the process stops', async () => {
  await db.query(`update schema_migrations set name = 'another.sql'`);
  expect(await ask()).toBe(503);
  await db.query('update schema_migrations set name = $1', [first.name]);
  expect(await ask()).toBe(200);
  readiness.draining = true;
  expect(await ask()).toBe(503);
  readiness.draining = false;
});
