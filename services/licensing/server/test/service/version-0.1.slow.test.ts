// A database that version 0.1.0 wrote works after the upgrade: its keys, purchases, secrets and answers.
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import {
  type RecordedCall,
  readRecordedData,
  restoreDatabase,
  sendRecorded,
} from '@counterfoil/kit/testing/recorded-data';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrationFolders } from '../../src/app.ts';
import { readLicensingConfig } from '../../src/config.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const data = await readRecordedData(new URL('version-0.1.0.json', import.meta.url));
const publicUrl = 'https://licensing.example';
const validCode = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const [sale] = data.tables.purchases as [{ id: number; item_id: number }];

let given: Given;

beforeAll(async () => {
  const database = await restoreDatabase(inject('testServer'), data, migrationFolders);
  const env = { MASTER_KEY: data.masterKey, LICENSING_PUBLIC_URL: publicUrl };
  const db = await prepareDatabase({
    ...readLicensingConfig({ ...env, LICENSING_DATABASE_URL: database.url }),
    url: database.url,
    applicationName: 'upgrade',
    maxConnections: 1,
    migrations: await readMigrations(migrationFolders),
    logger: captureLog().logger,
  });
  await db.end();
  given = await givenLicensing(env, undefined, { database, now: new Date(data.at) });
});

afterAll(() => given?.close());

const send = (as: string, request: string, body?: object) =>
  sendRecorded(given.app, data, { as, request, ...(body && { body }) });

const validate = (code: string) => send('key', 'POST /api/purchases/validation', { purchase_code: code });

it('the service is ready', async () => {
  expect((await given.app.inject('/readyz')).statusCode).toBe(200);
});

// The calls of the owner have the session cookie that version 0.1.0 issued. The last reads reveal sealed secrets.
it.each(data.reads)('$as gets the recorded answer: $request', async (call: RecordedCall) => {
  const { status, answer } = await sendRecorded(given.app, data, call);
  expect(answer).toMatchObject(call.answer);
  expect(status).toBe(call.status);
});

it('the owner signs in with the password', async () => {
  const { statusCode } = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin: publicUrl },
    payload: data.person,
  });
  expect(statusCode).toBe(200);
});

it('a host that was activated stays activated, and gives its place to another host', async () => {
  const activate = (domain: string) =>
    send('publishable_key', 'POST /api/v1/activations', { purchase_code: validCode, domain });
  const again = await activate('shop.example');
  expect(again).toMatchObject({ status: 200, answer: { data: { created: false, limit: 1, used: 1 } } });
  const host = { purchase_code: validCode, domain: 'shop.example' };
  expect((await send('key', 'POST /api/v1/activations/release', host)).status).toBe(200);
  expect(await activate('other.example')).toMatchObject({ status: 200, answer: { data: { created: true } } });
});

it('a new sale gets a new number, and its code is valid', async () => {
  const made = await send('key', 'POST /api/v1/purchases', {
    item_id: sale.item_id,
    license_type: 'Regular',
  });
  expect(made.status).toBe(200);
  const { id, purchase_code: code } = made.answer.data.purchase;
  expect(id).toBeGreaterThan(Math.max(...(data.tables.purchases as { id: number }[]).map((row) => row.id)));
  expect((await validate(code)).status).toBe(200);
});

it('a sale of 0.1.0 can be refunded, and its code is then refused', async () => {
  expect((await validate(validCode)).status).toBe(200);
  expect((await send('key', `POST /api/v1/purchases/${sale.id}/refund`)).status).toBe(200);
  expect(await validate(validCode)).toMatchObject({ status: 404, answer: { code: 'purchase_refunded' } });
});
