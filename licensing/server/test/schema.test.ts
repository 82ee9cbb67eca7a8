// The licensing schema keeps to the rules that let it be distributed by workspace.
import { type Db, openDb } from '@counterfoil/kit/db';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { findSchemaBreaches } from '@counterfoil/kit/testing/schema-rules';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const rules = {
  tenantColumn: 'workspace_id',
  globalTables: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    'sign_in_failures',
    'workspaces',
    'api_keys',
  ],
};

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'licensing');
  db = openDb({ url: database.url, applicationName: 'schema test' });
});

afterAll(async () => {
  await db.end();
  await database.drop();
});

it('the workspace leads every key of every tenant table, and there are no triggers', async () => {
  expect(await findSchemaBreaches(db, rules)).toEqual([]);
});

it.each([
  ['a table without a tenant', 'create table x (id int primary key)'],
  [
    'a primary key led by something else',
    'create table x (workspace_id int, id int, primary key (id, workspace_id))',
  ],
  [
    'a unique index led by something else',
    'create table x (workspace_id int primary key, id int unique)',
  ],
  [
    'a unique index on an expression',
    'create table x (workspace_id int primary key, t text); create unique index on x (lower(t))',
  ],
  [
    'a foreign key led by something else',
    'create table x (workspace_id bigint primary key, p bigint references people)',
  ],
  ['a table without a primary key', 'create table x (workspace_id int)'],
  [
    'a trigger',
    `create function f() returns trigger language plpgsql as 'begin return new; end';
     create trigger t before insert on workspaces for each row execute function f()`,
  ],
])('finds %s', async (_title, sql) => {
  const breaches = await db.transaction(async (tx) => {
    await tx.query(sql);
    const found = await findSchemaBreaches(tx, rules);
    await tx.query('rollback');
    await tx.query('begin');
    return found;
  });
  expect(breaches).not.toEqual([]);
});
