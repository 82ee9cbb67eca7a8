// The licensing schema follows the rules for distributing tables by workspace.
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { findSchemaBreaches } from '@counterfoil/kit/testing/schema-rules';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { licensingDistribution } from '../../src/distribution.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'licensing');
  db = openDb({ url: database.url, applicationName: 'schema test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

it('the licensing schema breaks no rule for distributing tables over nodes', async () => {
  expect(await findSchemaBreaches(db, licensingDistribution)).toEqual([]);
});

const withX = {
  ...licensingDistribution,
  distributed: [...licensingDistribution.distributed, 'x'],
};
const tenant = 'workspace_id bigint not null';
const key = `${tenant}, id bigint not null, primary key (workspace_id, id)`;

it.each([
  ['a table in no list', licensingDistribution, `create table y (${tenant} primary key)`],
  ['a table without a tenant column', withX, 'create table x (id int primary key)'],
  ['a tenant column of a wrong type', withX, 'create table x (workspace_id int not null primary key)'],
  ['a tenant column that may be null', withX, 'create table x (workspace_id bigint, id bigint primary key)'],
  [
    'a primary key that does not begin with the tenant',
    withX,
    `create table x (${tenant}, id int, primary key (id, workspace_id))`,
  ],
  [
    'a unique index that does not begin with the tenant',
    withX,
    `create table x (${tenant} primary key, id int unique)`,
  ],
  [
    'a unique index on an expression',
    withX,
    `create table x (${tenant} primary key, t text); create unique index on x (lower(t))`,
  ],
  [
    'a foreign key to a table that is on one node only',
    withX,
    `create table x (${tenant} primary key references people (id))`,
  ],
  [
    'a foreign key that does not begin with the tenant',
    withX,
    `create table x (${key}, k bigint references api_keys (id))`,
  ],
  [
    "a foreign key to another column than the tenant's",
    withX,
    `create unique index odd on items (id, workspace_id);
     create table x (${key}, foreign key (workspace_id, id) references items (id, workspace_id))`,
  ],
  [
    'a foreign key that sets the tenant to null',
    withX,
    `create table x (${key}, foreign key (workspace_id, id) references items on delete set null)`,
  ],
  [
    'a foreign key from a table on one node to a distributed table',
    licensingDistribution,
    'alter table people add s bigint references accounts (workspace_id)',
  ],
  [
    'an identity column of 32 bits',
    withX,
    `create table x (${tenant}, id int generated always as identity, primary key (workspace_id, id))`,
  ],
  ['a serial of 32 bits', withX, `create table x (${tenant}, id serial, primary key (workspace_id, id))`],
  ['a table without a primary key', withX, `create table x (${tenant})`],
  ['row security', withX, `create table x (${key}); alter table x enable row level security`],
  ['a rule', withX, `create table x (${key}); create rule r as on delete to x do instead nothing`],
  [
    'a partitioned table whose key lacks the tenant',
    withX,
    `create table x (${tenant}, at date not null, primary key (at)) partition by range (at)`,
  ],
  [
    'a trigger',
    licensingDistribution,
    `create function f() returns trigger language plpgsql as 'begin return new; end';
     create trigger t before insert on workspaces for each row execute function f()`,
  ],
])('the check of the schema finds %s', async (title, lists, sql) => {
  const breaches = await db.transaction(async (tx) => {
    await tx.query(sql);
    const found = await findSchemaBreaches(tx, lists);
    await tx.query('rollback');
    await tx.query('begin');
    return found;
  });
  // In these cases, the table also breaks a rule about keys. So the check reports two problems.
  const isDouble = /without a tenant|may be null|another column/.test(title);
  expect(breaches).toHaveLength(isDouble ? 2 : 1);
});
