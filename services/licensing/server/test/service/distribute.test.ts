// `licensing distribute` distributes every listed table. Each statement of a validation reads one workspace.
import { readFileSync } from 'node:fs';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { distribute, readPlan } from '@counterfoil/kit/postgres/distribution/distribute';
import { findUnbound } from '@counterfoil/kit/postgres/distribution/one-shard';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { licensingDistribution } from '../../src/distribution.ts';
import { collectHotStatements } from '../../src/hot-statements.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'), 'licensing');
  db = openDb({ url: database.url, applicationName: 'distribute test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

it('every statement of a validation is bound to one workspace', async () => {
  const { tenantColumn, distributed } = licensingDistribution;
  const statements = await collectHotStatements(7);
  const rules = { tenantColumn, distributed, tenant: 7 };
  const found = await Promise.all(statements.map((each) => findUnbound(db, each, rules)));
  expect(found.flat()).toEqual([]);
  expect(statements.map(({ name }) => name)).toContain('select_purchases_by_code');
});

it('the distribution completes all steps for every listed table', async () => {
  const path = new URL('../../../../../libs/kit/src/testing/stand-in-citus.sql', import.meta.url);
  await db.query(readFileSync(path, 'utf8'));
  await distribute(db, licensingDistribution, () => {});
  const plan = await readPlan(db, licensingDistribution);
  const { distributed, reference } = licensingDistribution;
  expect(plan?.steps).toEqual([]);
  expect(plan?.done).toEqual([...reference, ...distributed]);
});
