// The full check of a caller: headers, state of the package, Origin and IP address.
import { createThrottle } from '@counterfoil/kit/http/throttle';
import { fastify } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  clock,
  finderOf,
  headersOf,
  keyOf,
  masterKey,
  packageOf,
  pairOf,
} from '../../../test/environment/known-package.ts';
import type { CustomerPackage } from '../customer-package.ts';
import { callerOperation, createAuthenticate, getPackage, refuseByAddress } from './authenticate.ts';

interface Site {
  readonly known?: Partial<CustomerPackage>;
  readonly later?: Partial<CustomerPackage>;
  readonly failuresPerMinute?: number;
}

/** An app whose routes answer with the package's id or with the code of the refusal. */
function open({ known = {}, later = known, failuresPerMinute = 0 }: Site = {}) {
  const { finder, asked } = finderOf(packageOf(known), packageOf(later));
  const used: bigint[] = [];
  const uses = { record: (_packageId: number, pairId: bigint) => void used.push(pairId) };
  const throttle = createThrottle({ perMinute: failuresPerMinute, now: () => 0 });
  const authenticate = createAuthenticate({ finder, masterKey, throttle, uses, now: () => clock });
  const app = fastify();
  app.setErrorHandler((error: Error & { code?: string; details?: { headers?: object } }, _, reply) =>
    reply.headers({ ...error.details?.headers }).send({ answer: error.code ?? error.message }),
  );
  const answer = async (request: Parameters<typeof getPackage>[0]) => ({
    answer: getPackage(request).id,
  });
  const serve = (whenSuspended: 'served' | 'refused') => ({
    onRequest: authenticate({ whenSuspended }),
  });
  app.get('/read', serve('served'), answer);
  app.get('/move', serve('refused'), answer);
  app.get('/open', answer);
  const ask = (headers: Record<string, string>, url = '/move', remoteAddress = '192.0.2.1') =>
    app.inject({ url, headers, remoteAddress });
  const send = async (...args: Parameters<typeof ask>) => (await ask(...args)).json().answer;
  return { ask, send, asked, used };
}

const right = headersOf('caller');

describe('the three credential headers', () => {
  it('the three credential headers authenticate the package', async () => {
    const { send, asked } = open();
    expect([await send(right), asked()]).toEqual([7, 0]);
  });

  it('a request counts as a use of its key pair only if its three credential headers are valid', async () => {
    const { send, used } = open();
    await send({ ...right, 'x-api-secret': 'wrong' });
    expect(used).toEqual([]);
    await send(right);
    expect(used).toEqual([1n]);
  });

  it.each(['x-uid', 'x-api-key', 'x-api-secret'])(
    'headers without %s are refused with auth_missing',
    async (name) => {
      const { [name]: _, ...rest } = right;
      expect(await open().send(rest)).toBe('auth_missing');
      expect(await open().send({ ...right, [name]: '' })).toBe('auth_missing');
    },
  );

  it.each<[string, Record<string, string>, Partial<CustomerPackage>]>([
    ['an unknown uid', { 'x-uid': 'unknown' }, {}],
    ['an unknown key', { 'x-api-key': keyOf('unknown') }, {}],
    ['a wrong secret', { 'x-api-secret': 'wrong' }, {}],
    ['the secret of another pair', { 'x-api-secret': 'secret of callback' }, {}],
    ['an expired pair', {}, { keyPairs: [pairOf('caller', { expiresAt: clock })] }],
    ['a revoked pair', {}, { keyPairs: [pairOf('caller', { revokedAt: clock })] }],
  ])('headers with %s are refused with auth_invalid', async (_name, headers, known) => {
    expect(await open({ known }).send({ ...right, ...headers })).toBe('auth_invalid');
  });

  it('headers of a callback pair are refused on the routes of callers', async () => {
    expect(await open().send(headersOf('callback'))).toBe('insufficient_scope');
  });

  it('getPackage throws on a route without authentication, even if the headers are valid', async () => {
    expect(await open().send(right, '/open')).toBe('the route is not authenticated');
  });
});

describe('a pair that is not in the cache', () => {
  it('a new pair works at once, because an unknown pair is looked up in the database', async () => {
    const made = { keyPairs: [pairOf('caller'), pairOf('new')] };
    const { send, asked } = open({ later: made });
    expect([await send(headersOf('new')), asked()]).toEqual([7, 1]);
    expect([await send(right), asked()]).toEqual([7, 1]);
  });

  it.each([
    ['a malformed key', { 'x-api-key': 'gpk_short' }],
    ['an unknown package', { 'x-uid': 'unknown' }],
  ])('a request with %s is refused without a database query', async (_name, headers) => {
    const { send, asked } = open();
    expect(await send({ ...right, ...headers })).toBe('auth_invalid');
    expect(asked()).toBe(0);
  });
});

describe('the state of the package', () => {
  it.each([
    ['pending', '/read', 'package_not_approved'],
    ['pending', '/move', 'package_not_approved'],
    ['suspended', '/read', 7],
    ['suspended', '/move', 'package_suspended'],
    ['approved', '/read', 7],
    ['approved', '/move', 7],
  ] as const)(
    'a %s package that calls %s gets the answer %s (7 is the package id)',
    async (state, url, answer) => {
      expect(await open({ known: { state } }).send(right, url)).toBe(answer);
    },
  );
});

describe('the origin and the IP address', () => {
  it.each([
    ['https://play.example', 7],
    ['https://evil.example', 'origin_not_allowed'],
  ])('a call from the origin %s gets the answer %s (7 is the package id)', async (origin, answer) => {
    expect(await open().send({ ...right, origin })).toBe(answer);
  });

  it.each([
    ['192.0.2.1', 7],
    ['192.0.2.2', 'address_not_allowed'],
  ])('a call from the IP address %s gets the answer %s (7 is the package id)', async (address, answer) => {
    const site = open({ known: { callerAddresses: ['192.0.2.1'] } });
    expect(await site.send(right, '/move', address)).toBe(answer);
  });

  it.each([
    [[], '192.0.2.1', true],
    [['192.0.2.1'], '192.0.2.1', true],
    [['192.0.2.1'], '::ffff:192.0.2.1', true],
    [['192.0.2.1'], '192.0.2.2', false],
    [['192.0.2.0/24', '10.0.0.1'], '192.0.2.255', true],
    [['192.0.2.0/24', '10.0.0.1'], '10.0.0.1', true],
    [['192.0.2.0/24', '10.0.0.1'], '192.0.3.0', false],
    [['2001:db8::1'], '2001:db8::1', true],
    [['2001:db8::1'], '2001:db8::2', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::/32'], '192.0.2.1', false],
  ])('with the address list %j, a call from %s is allowed: %s', (allowed, address, isWelcome) => {
    const check = () => refuseByAddress(allowed, address);
    if (isWelcome) expect(check).not.toThrow();
    else expect(check).toThrow('address_not_allowed');
  });
});

describe('failed authentications', () => {
  it('failed authentications are limited per IP address; valid credentials are always accepted', async () => {
    const { ask, send } = open({ failuresPerMinute: 2 });
    const wrong = { ...right, 'x-api-secret': 'wrong' };
    expect([await send(wrong), await send({})]).toEqual(['auth_invalid', 'auth_missing']);
    const limited = await ask(wrong);
    expect([limited.json().answer, limited.headers['retry-after']]).toEqual(['rate_limited', '60']);
    expect(await send(right)).toBe(7);
    expect(await send(wrong, '/move', '192.0.2.9')).toBe('auth_invalid');
  });
});

it('the schema of an operation for callers has the success answer under the status 200', () => {
  const success = Type.Object({});
  expect(callerOperation('Players', 'Read a balance', success).response[200]).toBe(success);
});
