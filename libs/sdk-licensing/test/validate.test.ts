// Validation with a cache and a grace period. An unavailable service does not make a code invalid.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../../../services/licensing/server/test/environment/given.ts';
import { type CuttingProxy, closedAddress, openCuttingProxy } from '../../sdk-shared/test/cutting-proxy.ts';
import {
  createLicensing,
  createMemoryCache,
  isSupported,
  type LicensingOptions,
  type ValidationCache,
} from '../src/index.ts';

let given: Given;
let proxy: CuttingProxy;
let key: string;
let code: string;
let itemId: bigint;
let workspaceId: bigint;
const clock = { now: new Date('2026-05-04T10:00:00Z') };

beforeAll(async () => {
  given = await givenLicensing();
  proxy = await openCuttingProxy(await given.app.listen({ host: '127.0.0.1', port: 0 }));
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate'],
    itemId,
  });
});
beforeEach(async () => {
  clock.now = new Date('2026-05-04T10:00:00Z');
  proxy.outcomes = [];
  proxy.seen.length = 0;
  code = (await given.purchase(workspaceId, itemId)).code;
});
afterAll(async () => {
  await proxy.close();
  await given.close();
});

const open = (more: Partial<LicensingOptions> = {}) =>
  createLicensing({
    baseUrl: proxy.url,
    apiKey: key,
    backoffMs: 1,
    maxAttempts: 2,
    timeoutMs: 600_000,
    deadlineMs: 600_000,
    now: () => clock.now,
    ...more,
  });
const later = (seconds: number) => {
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
};
const day = 86_400;

it('`validate` returns valid for a sold code, and invalid for unknown and refunded codes', async () => {
  const licensing = open();
  const yes = await licensing.validate(` ${code.toUpperCase()} `, { domain: 'shop.example' });
  expect(yes).toMatchObject({ valid: true, source: 'service', checkedAt: clock.now });
  expect(yes.valid && yes.purchase).toMatchObject({ price: '19.99', item: { id: Number(itemId) } });
  expect(JSON.parse(proxy.seen[0]?.body ?? '')).toMatchObject({ domain: 'shop.example' });
  const no = await licensing.validate('never-sold');
  expect(no).toMatchObject({ valid: false, reason: 'purchase_not_found' });
  const { code: refunded } = await given.purchase(workspaceId, itemId, { state: 'refunded' });
  expect(await licensing.validate(refunded)).toMatchObject({ reason: 'purchase_refunded' });
});

it('`isSupported` is true until support ends, and false without support and for unknown codes', async () => {
  const licensing = open();
  const supportedUntil = new Date('2026-06-04T10:00:00Z');
  const sold = await given.purchase(workspaceId, itemId, { supportedUntil });
  const supported = await licensing.validate(sold.code);
  expect(isSupported(supported, supportedUntil)).toBe(true);
  expect(isSupported(supported, new Date(supportedUntil.getTime() + 1))).toBe(false);
  const without = await licensing.validate(code);
  expect(without.valid && without.purchase.supported_until).toBe(undefined);
  expect(isSupported(without)).toBe(false);
  expect(isSupported(await licensing.validate('never-sold'))).toBe(false);
});

it('`validate` retries after a lost answer, and reports `not_applied` if the retry fails too', async () => {
  proxy.outcomes = ['cut'];
  expect(await open().validate(code)).toMatchObject({ valid: true, source: 'service' });
  proxy.outcomes = ['cut', { status: 500, body: '' }];
  await expect(open().validate(code)).rejects.toMatchObject({
    code: 'unreadable_answer',
    outcome: 'not_applied',
    retryable: true,
  });
});

it('the cache stores a valid verdict for a day and an invalid verdict for five minutes', async () => {
  const licensing = open({ cache: createMemoryCache() });
  await licensing.validate(code);
  await licensing.validate('never-sold');
  later(299);
  expect(await licensing.validate(code.toUpperCase())).toMatchObject({
    valid: true,
    source: 'cache',
    purchase: { purchase_code: code.toUpperCase() },
  });
  expect(await licensing.validate('never-sold')).toMatchObject({ valid: false, source: 'cache' });
  later(1);
  expect(await licensing.validate('never-sold')).toMatchObject({ source: 'service' });
  later(day);
  expect(await licensing.validate(code)).toMatchObject({ source: 'service' });
  await licensing.forget(code);
  expect(await licensing.validate(code)).toMatchObject({ source: 'service' });
});

it('while the service is unavailable, a code that was valid stays valid for the grace period', async () => {
  const cache = createMemoryCache();
  await open({ cache }).validate(code);
  await open({ cache }).validate('never-sold');
  later(2 * day);
  const gone = open({ cache, baseUrl: closedAddress });
  expect(await gone.validate(code)).toMatchObject({ valid: true, source: 'grace' });
  await expect(gone.validate('never-sold')).rejects.toMatchObject({ code: 'network_error' });
  await expect(gone.validate('never-seen')).rejects.toMatchObject({ code: 'network_error' });
  later(6 * day);
  await expect(gone.validate(code)).rejects.toMatchObject({ code: 'network_error' });
});

it('a code gets no grace period if the service refuses the API key', async () => {
  const cache = createMemoryCache();
  await open({ cache }).validate(code);
  later(2 * day);
  const refusal = { status: 'error', code: 'api_key_revoked', msg: 'Invalid request' };
  proxy.outcomes = [{ status: 401, body: refusal }];
  await expect(open({ cache }).validate(code)).rejects.toMatchObject({ code: 'api_key_revoked' });
});

it('the cache contains neither the API key nor codes; if the cache fails, the service is asked', async () => {
  const kept = new Map<string, string>();
  const cache: ValidationCache = kept;
  await open({ cache }).validate(code);
  expect(kept.size).toBe(1);
  const text = JSON.stringify([...kept]);
  expect(text).not.toContain(code);
  expect(text).not.toContain(key);
  for (const [name] of kept) kept.set(name, '{"valid":true');
  expect(await open({ cache }).validate(code)).toMatchObject({ source: 'service' });
  const failing = () => {
    throw new Error('the disk is full');
  };
  const broken = { get: failing, set: failing, delete: failing };
  expect(await open({ cache: broken }).validate(code)).toMatchObject({ valid: true });
});

it('a full memory cache drops the oldest entry', () => {
  const cache = createMemoryCache(2);
  for (const name of ['a', 'b', 'a', 'c']) cache.set(name, name);
  expect(['a', 'b', 'c'].map((name) => cache.get(name))).toEqual(['a', undefined, 'c']);
});
