// The wallet schema keeps to the rules that let it be distributed by package.
import { type Db, openDb } from '@counterfoil/kit/db';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { findSchemaBreaches } from '@counterfoil/kit/testing/schema-rules';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const rules = {
  tenantColumn: 'package_id',
  globalTables: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    'sign_in_failures',
    'packages',
    // A token opens the platform as a whole; it is found by its hash and belongs to no package.
    'admin_tokens',
    // There is one upstream for all packages, and so one catalogue per source of it.
    'catalogue_copies',
  ],
};

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'wallet');
  db = openDb({ url: database.url, applicationName: 'schema test' });
});

afterAll(async () => {
  await db.end();
  await database.drop();
});

it('the package leads every key of every tenant table, and there are no triggers', async () => {
  expect(await findSchemaBreaches(db, rules)).toEqual([]);
});
