// The tables of the wallet follow the rules that let Citus distribute them by package.
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { findSchemaBreaches } from '@counterfoil/kit/testing/schema-rules';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { walletDistribution } from '../../src/distribution.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'wallet');
  db = openDb({ url: database.url, applicationName: 'schema test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

it('every table is in one list of the distribution, and every key begins with the package id', async () => {
  expect(await findSchemaBreaches(db, walletDistribution)).toEqual([]);
});
