// A database that version 0.1.0 wrote works after the upgrade: its keys, purchases, secrets and answers.
// The tests run in this order on one database.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { totpCode, totpStepAt } from '@counterfoil/identity/second-factor/totp';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import {
  type RecordedCall,
  readRecordedData,
  recordRows,
  restoreDatabase,
  sendRecorded,
} from '@counterfoil/kit/testing/recorded-data';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { migrationFolders } from '../../src/app.ts';
import { readLicensingConfig } from '../../src/config.ts';
import { startWebhookDispatcher } from '../../src/webhook-dispatcher.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const data = await readRecordedData(new URL('version-0.1.0.json', import.meta.url));
const publicUrl = 'https://licensing.example';
const validCode = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const [sale] = data.tables.purchases as [{ id: number; item_id: number }];
const local = { WEBHOOK_LOCAL_ADDRESSES: 'on' };

let given: Given;

beforeAll(async () => {
  const database = await restoreDatabase(inject('testServer'), data, migrationFolders);
  const { tables, sequences } = data;
  expect(await recordRows(database.url)).toEqual({ tables, sequences });
  const env = { ...local, MASTER_KEY: data.masterKey, LICENSING_PUBLIC_URL: publicUrl };
  const db = await prepareDatabase({
    ...readLicensingConfig({ ...env, LICENSING_DATABASE_URL: database.url }),
    url: database.url,
    applicationName: 'upgrade',
    maxConnections: 1,
    migrations: await readMigrations(migrationFolders),
    logger: captureLog().logger,
  });
  await db.end();
  given = await givenLicensing(env, undefined, { database, now: new Date(Date.parse(data.at) + 60_000) });
});

afterAll(() => given?.close());

const send = (as: string, request: string, body?: object) =>
  sendRecorded(given.app, data, { as, request, ...(body && { body }) });

const validate = (code: string) => send('key', 'POST /api/purchases/validation', { purchase_code: code });

it('the service is ready', async () => {
  expect((await given.app.inject('/readyz')).statusCode).toBe(200);
});

// The owner has the session cookie that version 0.1.0 issued. The last calls reveal sealed secrets.
it.each(data.reads)('$as gets the recorded answer: $request', async (call: RecordedCall) => {
  const { status, answer } = await sendRecorded(given.app, data, call);
  expect(answer).toMatchObject(call.answer);
  expect(status).toBe(call.status);
});

it('the owner signs in with the password and a second factor, or a recovery code', async () => {
  const { email, password, totpSecret, recoveryCodes } = data.person;
  const signIn = async (code: string) => {
    const headers = { origin: publicUrl };
    const payload = { email, password, code };
    return given.app.inject({ method: 'POST', url: '/panel/session', headers, payload });
  };
  const code = totpCode(Buffer.from(totpSecret, 'hex'), totpStepAt(given.clock.now));
  expect((await signIn(code)).statusCode).toBe(200);
  expect((await signIn(recoveryCodes[0] ?? '')).statusCode).toBe(200);
});

it('a download link opens the file that version 0.1.0 stored', async () => {
  for (const [path, content] of Object.entries(data.files ?? {})) {
    const file = join(given.config.filesDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const { statusCode, body } = await given.app.inject(data.downloadPath ?? '');
  expect([statusCode, [body]]).toEqual([200, Object.values(data.files ?? {})]);
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

it('an event that waited for its delivery arrives, signed with the secret of its endpoint', async () => {
  const receiver = await openReceiver();
  const sender = createSender(createAddressGuard({ allowLocal: true }));
  const { db, config, clock } = given;
  const { masterKey, webhooks: settings } = config;
  const { logger } = captureLog();
  const registry = createMetrics('licensing');
  const deps = { db, masterKey, settings, logger, registry, sender, now: () => clock.now };
  const endpoint = '/panel/workspaces/1/webhooks/1';
  const { answer } = await send('owner', `POST ${endpoint}/reveal`, { password: data.person.password });
  receiver.secret = answer.data.secret;
  expect((await send('owner', `PATCH ${endpoint}`, { url: receiver.url })).status).toBe(200);
  clock.now = new Date(clock.now.getTime() + 3_600_000);
  const dispatcher = startWebhookDispatcher({ ...deps, pauseMs: 20 });
  onTestFinished(async () => {
    await dispatcher?.stop();
    await sender.close();
    await receiver.close();
  });
  const waiting = data.tables.webhook_waiting as [{ event_id: string }];
  await expect.poll(() => receiver.taken.map(({ id }) => id)).toContain(waiting[0].event_id);
});
