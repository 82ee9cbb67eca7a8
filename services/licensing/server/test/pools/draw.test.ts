// Draws from a pool: an unassigned code is unknown, a draw is an ordinary sale, and each code is handed out
// at most once.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import { openSmtpReceiver, readText, type SmtpReceiver } from '@counterfoil/mail/testing/smtp-receiver';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addStock } from '../../src/pools/add-stock.ts';
import { createDraw } from '../../src/pools/draw-code.ts';
import { insertCodes, lockPool, lockStock } from '../../src/pools/store.ts';
import { toStoredCode } from '../../src/purchases/code.ts';
import { auditActions, keyClient, type TestClient, withoutRequestId } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';
import { json, validate } from '../environment/validation-calls.ts';

let given: Given;
let receiver: SmtpReceiver;
let workspaceId: bigint;
let itemId: bigint;
let client: TestClient;
let poolId: number;

beforeAll(async () => {
  receiver = await openSmtpReceiver();
  given = await givenLicensing({
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@licensing.example',
  });
});

afterAll(async () => {
  await given.close();
  await receiver.close();
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { priceRegularMinor: 1999n });
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: ['purchases:write'] }));
  poolId = await createPool();
});

async function createPool(terms: object = {}): Promise<number> {
  const name = `Pool ${Math.random()}`;
  const answer = await client.send('POST', '/pools', { item_id: Number(itemId), name, ...terms });
  return answer.body.data.pool.id;
}

const addCodes = (...codes: string[]) => client.send('POST', `/pools/${poolId}/codes`, { codes });

const draw = (key?: string, body: object = {}, pool = poolId) =>
  client.send('POST', `/pools/${pool}/draw`, body, key === undefined ? {} : { 'idempotency-key': key });

const codesOf = (answers: readonly { body: { data: { purchase: { purchase_code: string } } } }[]) =>
  answers.map(({ body }) => body.data.purchase.purchase_code);

const events = async () =>
  (
    await given.db.query<{ type: string; data: Record<string, unknown> }>(
      'select type, data from webhook_events where workspace_id = $1 order by sequence',
      [workspaceId],
    )
  ).rows;

const readPool = async () => (await client.send('GET', `/pools/${poolId}`)).body.data.pool;

/** Resolves when exactly one session of the database waits for a lock. */
const untilOneWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await given.db.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0]?.n;
    })
    .toBe(1);

it('a free or withdrawn code gets the same bytes as an unknown code; a drawn code is valid', async () => {
  const apiKey = await given.apiKey(workspaceId);
  const send = (purchase_code: string) => validate(given, json({ purchase_code }, { 'x-api-key': apiKey }));
  const read = async (code: string) => {
    const { statusCode, headers, body } = await send(code);
    const { date: _date, ...rest } = headers;
    const without = (text: string) => text.replaceAll(/"request_id":"[^"]*"/g, '');
    return { statusCode, headers: { ...rest, 'x-request-id': '' }, body: without(body) };
  };
  await addCodes('Waiting-Code', 'withdrawn-code');
  const unknown = await read('unknown-code');
  expect(unknown).toMatchObject({ statusCode: 404 });
  expect(unknown.body).toContain('"code":"purchase_not_found","msg":"Invalid purchase code"');
  expect(await read('waiting-code')).toEqual(unknown);
  await draw();
  await client.send('POST', `/pools/${poolId}/withdraw`);
  expect(await read('withdrawn-code')).toEqual(unknown);
  const valid = (await send('waiting-code')).json();
  expect(valid).toMatchObject({ status: 'success', data: { purchase: { purchase_code: 'Waiting-Code' } } });
});

it('activations, licences and searches do not find a code that was not handed out', async () => {
  const apiKey = await given.apiKey(workspaceId, { scopes: ['purchases:validate', 'purchases:write'] });
  await addCodes('waiting-code');
  const ask = async (url: string, purchase_code: string) => {
    const payload = { purchase_code, domain: 'shop.example' };
    const answer = await given.app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': apiKey },
      payload,
    });
    return [answer.statusCode, answer.body.replace(/"request_id":"[^"]*"/, '')];
  };
  for (const url of ['/api/v1/activations', '/api/v1/activations/release', '/api/v1/licences'])
    expect(await ask(url, 'waiting-code')).toEqual(await ask(url, 'unknown-code'));
  const found = await client.send('GET', '/purchases?purchase_code=waiting-code');
  expect(found.body.data.purchases).toEqual([]);
});

it('a draw creates a purchase with the terms of the pool, an event and an audit line', async () => {
  poolId = await createPool({ license_type: 'Extended', price: 5.5, currency: 'EUR', support_months: 1 });
  await addCodes('first-code', 'second-code');
  const buyer = { name: 'Bo Ek', email: 'Bo@Buyer.Example' };
  const answer = await draw(undefined, { buyer });
  const { purchase } = answer.body.data;
  expect(purchase).toMatchObject({
    purchase_code: 'first-code',
    item_id: Number(itemId),
    license_type: 'Extended',
    price: 5.5,
    currency: 'EUR',
    state: 'active',
    date: '2026-05-04T10:00:00Z',
    supported_until: '2026-06-04T10:00:00Z',
    downloaded: false,
    buyer: { name: 'Bo Ek', email: 'bo@buyer.example' },
  });
  expect((await client.send('GET', `/purchases/${purchase.id}`)).body.data.purchase).toEqual(purchase);
  expect(await events()).toMatchObject([
    { type: 'purchase.issued', data: { purchase_id: purchase.id, price: 5.5, currency: 'EUR' } },
  ]);
  expect((await auditActions(given, workspaceId)).at(-1)).toBe('purchase_issued');
  const { rows } = await given.db.query(
    `select details from audit_log where workspace_id = $1 and action = 'purchase_issued'`,
    [workspaceId],
  );
  expect(rows).toEqual([{ details: { item_id: Number(itemId), license_type: 'Extended', pool_id: poolId } }]);
});

it('a draw uses the current support months of the workspace if the pool has none', async () => {
  await addCodes('first-code');
  await given.db.query('update workspaces set support_months = 3 where id = $1', [workspaceId]);
  expect((await draw()).body.data.purchase.supported_until).toBe('2026-08-04T10:00:00Z');
});

it('draws without an Idempotency-Key hand out codes in the order of their import', async () => {
  await addCodes('c-code', 'a-code', 'b-code');
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await draw());
  expect(codesOf(answers)).toEqual(['c-code', 'a-code', 'b-code']);
  expect(await draw()).toMatchObject({ status: 409, body: { code: 'pool_empty' } });
});

it('a repeated draw returns the same purchase, also after the pool is empty or withdrawn', async () => {
  await addCodes('first-code', 'second-code');
  const first = await draw('order-1', { buyer: { name: 'Bo' } });
  expect((await draw('order-1', { buyer: { name: 'Bo' } })).body.data).toEqual(first.body.data);
  await client.send('POST', `/pools/${poolId}/withdraw`);
  expect((await draw('order-1', { buyer: { name: 'Bo' } })).body.data).toEqual(first.body.data);
  expect(await draw('order-2')).toMatchObject({ status: 409, body: { code: 'pool_empty' } });
  expect(await readPool()).toMatchObject({ free: 0, assigned: 1, withdrawn: 1 });
  expect((await events()).map(({ type }) => type)).toEqual(['purchase.issued']);
});

it('a used Idempotency-Key is refused for another buyer or pool, or for a sale without a pool', async () => {
  await addCodes('first-code', 'second-code');
  await draw('order-1', { buyer: { name: 'Bo' } });
  const conflict = { status: 409, body: { code: 'idempotency_conflict' } };
  expect(await draw('order-1', { buyer: { name: 'Ada' } })).toMatchObject(conflict);
  expect(await draw('order-1', { buyer: { name: 'Bo' } }, await createPool())).toMatchObject(conflict);
  const sale = { item_id: Number(itemId), buyer: { name: 'Bo' } };
  const issued = await client.send('POST', '/purchases', sale, { 'idempotency-key': 'order-1' });
  expect(issued).toMatchObject(conflict);
  await client.send('POST', '/purchases', sale, { 'idempotency-key': 'order-2' });
  expect(await draw('order-2', { buyer: { name: 'Bo' } })).toMatchObject(conflict);
  expect(await readPool()).toMatchObject({ free: 1, assigned: 1 });
});

it('concurrent draws hand out each free code once, and then find the pool empty', async () => {
  await client.send('POST', `/pools/${poolId}/refill`, { free: 20 });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => draw(`order-${n}`)));
  const drawn = answers.filter(({ status }) => status === 200);
  expect(new Set(codesOf(drawn)).size).toBe(20);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(10).fill([409, 'pool_empty']));
  expect(await readPool()).toMatchObject({ free: 0, assigned: 20 });
});

it('concurrent draws with the same Idempotency-Key hand out one code', async () => {
  await client.send('POST', `/pools/${poolId}/refill`, { free: 10 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => draw('order-1')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(codesOf(answers)).size).toBe(1);
  expect(await readPool()).toMatchObject({ free: 9, assigned: 1 });
});

it('a draw waits until an earlier draw of the pool has ended, and locks no code while it waits', async () => {
  await addCodes('first-code', 'second-code');
  const key = { workspaceId, poolId: BigInt(poolId) };
  let waiting: ReturnType<typeof draw> | undefined;
  await given.db.transaction(async (tx) => {
    await lockPool(tx, key);
    waiting = draw();
    await untilOneWaits();
    const free = `select from pool_codes where workspace_id = $1 for update nowait`;
    expect((await tx.query(free, [workspaceId])).rowCount).toBe(2);
  });
  expect(codesOf([(await waiting) as Awaited<ReturnType<typeof draw>>])).toEqual(['first-code']);
});

it('waiting draws of a pool occupy one connection, and more than 200 of them are refused', async () => {
  await client.send('POST', `/pools/${poolId}/refill`, { free: 201 });
  const refused = { status: 503, body: { code: 'overloaded', retryable: true } };
  const person = await givenSignedIn(given, workspaceId);
  let waiting: Promise<Pick<Awaited<ReturnType<typeof draw>>, 'status' | 'body'>>[] = [];
  await given.db.transaction(async (tx) => {
    await lockPool(tx, { workspaceId, poolId: BigInt(poolId) });
    const byPerson = () => person.post(`${person.base}/pools/${poolId}/draw`, {});
    waiting = Array.from({ length: 201 }, (_, i) => (i % 2 === 0 ? draw(`order-${i}`) : byPerson()));
    expect(await Promise.race(waiting)).toMatchObject(refused);
    await untilOneWaits();
  });
  const answers = await Promise.all(waiting);
  const drawn = answers.filter(({ status }) => status === 200);
  expect(new Set(codesOf(drawn)).size).toBe(200);
  expect(answers.find(({ status }) => status !== 200)).toMatchObject(refused);
  expect(await readPool()).toMatchObject({ free: 1, assigned: 200 });
});

it('a draw that has waited longer than the limit is refused, and takes no code', async () => {
  await client.send('POST', `/pools/${poolId}/refill`, { free: 3 });
  const key = { workspaceId, poolId: BigInt(poolId) };
  const clock = { ms: 0 };
  const deps = { ...given.config, db: given.db, mailer: mailerOf(given), monotonicMs: () => clock.ms };
  const drawInOrder = createDraw(deps);
  const caller = { workspaceId, actor: {} };
  const wanted = { caller, ...key, now: given.clock.now, input: {}, idempotencyKey: undefined };
  let drawn: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await given.db.transaction(async (tx) => {
    await lockPool(tx, key);
    drawn = Promise.allSettled([drawInOrder(wanted), drawInOrder(wanted), drawInOrder(wanted)]);
    await untilOneWaits();
    clock.ms = 1 + deadlineMs(10_000);
  });
  const refused = { status: 'rejected', reason: { code: 'overloaded' } };
  expect(await drawn).toMatchObject([{ status: 'fulfilled' }, refused, refused]);
  expect(await readPool()).toMatchObject({ free: 2, assigned: 1 });
});

it('a pool can be renamed while codes are added to it', async () => {
  const key = { workspaceId, poolId: BigInt(poolId) };
  let renaming: Promise<{ status: number }> | undefined;
  await given.db.transaction(async (tx) => {
    await lockStock(tx, workspaceId);
    await insertCodes(tx, key, [toStoredCode(given.config.masterKey, 'first-code')]);
    renaming = client.send('PATCH', `/pools/${poolId}`, { name: 'Renamed' });
    await untilOneWaits();
    await addStock(tx, key, { added: 1, at: new Date() });
  });
  expect(await renaming).toMatchObject({ status: 200 });
  expect(await readPool()).toMatchObject({ name: 'Renamed', free: 1 });
});

it('draws and a withdrawal at the same time leave every code either assigned or withdrawn', async () => {
  await client.send('POST', `/pools/${poolId}/refill`, { free: 30 });
  const [withdrawal, ...draws] = await Promise.all([
    client.send('POST', `/pools/${poolId}/withdraw`),
    ...Array.from({ length: 15 }, () => draw()),
  ]);
  const assigned = draws.filter(({ status }) => status === 200).length;
  expect(withdrawal?.status).toBe(200);
  expect(draws.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(await readPool()).toMatchObject({ free: 0, assigned, withdrawn: 30 - assigned });
  const { rows } = await given.db.query<{ n: number }>(
    `select count(*)::int as n from purchases where workspace_id = $1`,
    [workspaceId],
  );
  expect(rows[0]?.n).toBe(assigned);
});

it('an item that was never published refuses draws, and the code stays free', async () => {
  itemId = await given.item(workspaceId, { state: 'draft' });
  poolId = await createPool();
  await addCodes('first-code');
  expect(await draw('order-1')).toMatchObject({ status: 409, body: { code: 'item_not_published' } });
  expect(await readPool()).toMatchObject({ free: 1, assigned: 0 });
});

it.each([
  [{ buyer: { email: 'nobody' } }],
  [{ buyer: { name: 'x'.repeat(201) } }],
  [{ price: 1 }],
  [{ purchase_code: 'own-code' }],
])('a draw with the input %j is refused, and the code stays free', async (body) => {
  await addCodes('first-code');
  expect((await draw(undefined, body)).status).toBe(400);
  expect(await readPool()).toMatchObject({ free: 1 });
});

it('each time the free codes fall below the threshold, a draw sends one event and one mail', async () => {
  const { person } = await givenSignedIn(given, workspaceId);
  poolId = await createPool({ low_stock_below: 2, name: 'Summer sale' });
  const low = async () => (await events()).filter(({ type }) => type === 'pool.low_stock');
  const mails = async () => {
    await sendAllMail(given);
    return receiver.taken.filter((mail) => mail.to === person.email).map(readText);
  };
  await addCodes('code-1', 'code-2', 'code-3', 'code-4');
  await draw();
  await draw();
  expect(await low()).toEqual([]);
  expect(await readPool()).toMatchObject({ free: 2, is_low: false });
  await draw();
  const data = { pool_id: poolId, item_id: Number(itemId), name: 'Summer sale', free: 1, low_stock_below: 2 };
  expect(await low()).toEqual([{ type: 'pool.low_stock', data }]);
  const [mail = ''] = await mails();
  expect(mail).toContain('Summer sale');
  expect(mail).toContain(`/w/${workspaceId}/pools/${poolId}`);
  await draw();
  expect(await readPool()).toMatchObject({ free: 0, is_low: true });
  await addCodes('code-5', 'code-6');
  expect(await readPool()).toMatchObject({ free: 2, is_low: false });
  expect(await low()).toHaveLength(1);
  await draw();
  expect(await low()).toHaveLength(2);
  expect(await mails()).toHaveLength(2);
  // A lower threshold ends the shortage. A higher threshold takes effect at the next draw.
  const change = (low_stock_below: number) => client.send('PATCH', `/pools/${poolId}`, { low_stock_below });
  expect((await change(1)).body.data.pool.is_low).toBe(false);
  expect((await change(50)).body.data.pool.is_low).toBe(false);
  await draw();
  expect(await low()).toHaveLength(3);
});

it('concurrent draws across the threshold send one event', async () => {
  poolId = await createPool({ low_stock_below: 10 });
  await client.send('POST', `/pools/${poolId}/refill`, { free: 15 });
  await Promise.all(Array.from({ length: 12 }, () => draw()));
  const low = (await events()).filter(({ type }) => type === 'pool.low_stock');
  expect(low).toMatchObject([{ data: { free: 9 } }]);
});

it('concurrent repeats of the draw of the last code all get this code', async () => {
  poolId = await createPool();
  await addCodes('last-code');
  const answers = await Promise.all(Array.from({ length: 4 }, () => draw('order-1')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
  expect(await readPool()).toMatchObject({ free: 0, assigned: 1 });
});

it('concurrent repeats of a draw change the pool once, and send each event once', async () => {
  poolId = await createPool({ low_stock_below: 2 });
  await addCodes('code-1', 'code-2');
  const answers = await Promise.all(Array.from({ length: 4 }, () => draw('order-1')));
  expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
  expect((await events()).map(({ type }) => type)).toEqual(['purchase.issued', 'pool.low_stock']);
  expect(await readPool()).toMatchObject({ free: 1, assigned: 1 });
});
