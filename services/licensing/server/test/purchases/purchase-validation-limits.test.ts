// POST /api/purchases/validation: wrong codes are limited per minute, valid codes are not.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let code: string;
let key: string;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  code = (await given.purchase(workspaceId, itemId)).code;
});

afterAll(() => given.close());

beforeEach(async () => {
  key = await given.apiKey(workspaceId);
});

const ask = (secret: string, purchaseCode: string, address = '10.7.7.7') =>
  validate(given, { ...json({ purchase_code: purchaseCode }, { 'x-api-key': secret }), address });

async function ask404(times: number, secret: string): Promise<void> {
  const asked = Array.from({ length: times }, (_, i) => ask(secret, `wrong ${i}`));
  const statuses = (await Promise.all(asked)).map((answer) => answer.statusCode);
  expect(statuses).toEqual(Array(times).fill(404));
}

it('after 60 wrong codes in a minute, more wrong codes get 429, but valid codes still work', async () => {
  await ask404(60, key);
  const limited = await ask(key, 'wrong again');
  expect(limited.statusCode).toBe(429);
  expect(limited.json()).toMatchObject({
    status: 'error',
    code: 'rate_limited',
    msg: 'Too many requests',
    retryable: true,
  });
  expect(limited.headers['retry-after']).toBe('60');
  expect(limited.headers.ratelimit).toBe('"wrong-codes";r=0;t=60');
  expect(limited.headers['ratelimit-policy']).toBe('"wrong-codes";q=60;w=60');
  expect((await ask(key, code)).statusCode).toBe(200);
});

it('wrong codes are limited for each pair of API key and IP address', async () => {
  await ask404(60, key);
  expect((await ask(key, 'wrong', '10.7.7.8')).statusCode).toBe(404);
  expect((await ask(await given.apiKey(workspaceId), 'wrong')).statusCode).toBe(404);
  expect((await ask(key, 'wrong')).statusCode).toBe(429);
});

it('one IPv6 host cannot evade the limit with many IP addresses', async () => {
  const asked = Array.from({ length: 60 }, (_, i) =>
    ask(key, `wrong ${i}`, `2001:db8:1:2::${i.toString(16)}`),
  );
  for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(404);
  expect((await ask(key, 'wrong', '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
  expect((await ask(key, 'wrong', '2001:db8:1:3::1')).statusCode).toBe(404);
});

it('inactive purchases of the seller and malformed codes do not count as wrong codes', async () => {
  const { code: refunded } = await given.purchase(workspaceId, itemId, { state: 'refunded' });
  await ask404(59, key);
  for (let i = 0; i < 5; i++) {
    expect((await ask(key, refunded)).json().code).toBe('purchase_refunded');
    expect((await ask(key, '')).statusCode).toBe(400);
  }
  await ask404(1, key);
  expect((await ask(key, refunded)).json().code).toBe('purchase_refunded');
  expect((await ask(key, 'wrong')).statusCode).toBe(429);
});

it('a publishable key may send 300 wrong codes a minute; codes of other items count as wrong', async () => {
  const publishable = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate'],
    itemId,
  });
  const other = await given.purchase(workspaceId, await given.item(workspaceId));
  await ask404(299, publishable);
  expect((await ask(publishable, other.code)).statusCode).toBe(404);
  expect((await ask(publishable, other.code)).statusCode).toBe(429);
  expect((await ask(publishable, code)).statusCode).toBe(200);
});

it('the setting WRONG_CODES_PER_MINUTE=0 turns the limit of wrong codes off', async () => {
  const open = await givenLicensing({ WRONG_CODES_PER_MINUTE: '0' });
  const workspace = await open.workspace();
  const secret = await open.apiKey(workspace);
  const call = json({ purchase_code: 'wrong' }, { 'x-api-key': secret });
  const asked = Array.from({ length: 100 }, () => validate(open, call));
  for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(404);
  await open.close();
});
