// X-Sign on forms and JSON. PHP 8.2 made the expected signatures with ksort and http_build_query.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProviderRequest, Secrets } from '../dialect.ts';
import { signParams, signWalletRequest } from './signature.ts';
import { slotegrator } from './slotegrator.ts';

const merchant = { merchantId: 'merchant-1', merchantKey: 'merchant-key-1' };
const secrets: Secrets[] = [{ merchant_id: 'merchant-1', merchant_key: 'merchant-key-1' }];
const stamp = { timestamp: 1_763_430_000, nonce: 'e115cf0f66a645aca08225c9c1b20b80' };
const nowMs = stamp.timestamp * 1000;
const authentic = { kind: 'authentic', nonce: stamp.nonce };

const balance = { action: 'balance', player_id: 'player-1', currency: 'EUR' };
const bet = {
  action: 'bet',
  amount: 9.996,
  currency: 'EUR',
  game_uuid: 'g-1',
  player_id: 'player-1',
  transaction_id: "t 1~*-_.é/😀'()!",
  session_id: 's-1',
  type: 'bet',
  round_id: 'r-1',
  finished: false,
};
const rollback = {
  action: 'rollback',
  currency: 'EUR',
  game_uuid: 'g-1',
  player_id: 'player-1',
  transaction_id: 'rb-1',
  rollback_transactions: [
    { transaction_id: 't-2', amount: '2.3158', action: 'win', type: 'win' },
    { action: 'bet', amount: 10.5, transaction_id: 't 1', type: null },
  ],
  session_id: 's-1',
  type: 'rollback',
  finished: true,
};
const madeByPhp = [
  ['a balance request', balance, 'cb12fb04c2b6cf3615aa703a7f42b0dd23d4cc31'],
  ['a bet with special characters', bet, 'f905e5df215ecad3dde2628a8f87fcb5fc1b0479'],
  ['a rollback with nested parameters', rollback, '7c79d6733e44e91e917118b22d0abde1e1f49752'],
] as const;

const check = (request: ProviderRequest, at = nowMs, live = secrets) =>
  slotegrator.authenticate(request, live, at, '');
const withHeader = (request: ProviderRequest, name: string, value: string | undefined): ProviderRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});
const withBody = (request: ProviderRequest, body: string | Buffer): ProviderRequest => ({
  ...request,
  body: Buffer.from(body as string),
});

describe.each(['form', 'json'] as const)('the signature of a request that is sent as %s', (format) => {
  it.each(madeByPhp)('the signature of %s equals the signature that PHP made', (_, fields, sign) => {
    const request = signWalletRequest(merchant, fields, stamp, format);
    expect(request.headers['x-sign']).toBe(sign);
    expect(check(request)).toEqual(authentic);
  });

  it('the signature counts as forged after any change of a parameter', () => {
    const request = signWalletRequest(merchant, rollback, stamp, format);
    const text = String(request.body);
    for (const [from, to] of [
      ['t-2', 't-3'],
      ['10.5', '10.6'],
      ['player-1', 'player-2'],
      ['EUR', 'USD'],
    ] as const) {
      expect(check(withBody(request, text.replace(from, to)))).toEqual({ kind: 'forged' });
    }
  });

  it('the signature counts as forged if one of its headers is missing or changed', () => {
    const request = signWalletRequest(merchant, bet, stamp, format);
    for (const name of ['x-merchant-id', 'x-timestamp', 'x-nonce', 'x-sign']) {
      expect(check(withHeader(request, name, undefined))).toEqual({ kind: 'forged' });
      expect(check(withHeader(request, name, ''))).toEqual({ kind: 'forged' });
      const changed = String(request.headers[name]).replace(/.$/, (last) => (last === '1' ? '2' : '1'));
      expect(check(withHeader(request, name, changed))).toEqual({ kind: 'forged' });
    }
  });

  it('the signature counts as forged if it is in upper case', () => {
    const request = signWalletRequest(merchant, bet, stamp, format);
    const sign = String(request.headers['x-sign']).toUpperCase();
    expect(check(withHeader(request, 'x-sign', sign))).toEqual({ kind: 'forged' });
  });
});

const signed = signWalletRequest(merchant, balance, stamp);

it('the order of the parameters in a form does not change the signature', () => {
  expect(check(withBody(signed, 'currency=EUR&player_id=player-1&action=balance'))).toEqual(authentic);
});

it('the order of the entries of a nested parameter changes the signature', () => {
  const [first, second] = rollback.rollback_transactions;
  const turned = { ...rollback, rollback_transactions: [second, first] };
  const request = signWalletRequest(merchant, rollback, stamp, 'json');
  expect(check(withBody(request, JSON.stringify(turned)))).toEqual({ kind: 'forged' });
});

it('a parameter whose name begins with a bracket is sorted first', () => {
  const { 'x-sign': sign } = signParams(
    merchant,
    new Map([
      ['A', '1'],
      ['[b]', '2'],
    ]),
    stamp,
  );
  const headers = `X-Merchant-Id=merchant-1&X-Nonce=${stamp.nonce}&X-Timestamp=${stamp.timestamp}`;
  const text = `%5Bb%5D=2&A=1&${headers}`;
  expect(sign).toBe(createHmac('sha1', merchant.merchantKey).update(text).digest('hex'));
});

it('fields that cannot be encoded get the same signature as no fields', () => {
  const request = signWalletRequest(merchant, { a: '\ud800' }, stamp);
  expect(String(request.body)).toBe('');
  expect(check(request)).toEqual(authentic);
});

it('escapes in JSON and in forms do not change the signature, which covers the decoded parameters', () => {
  expect(check(withBody(signed, 'action=bal%61nce&player_id=player%2d1&currency=EUR'))).toEqual(authentic);
  const json = signWalletRequest(merchant, balance, stamp, 'json');
  expect(check(withBody(json, JSON.stringify(balance).replace('balance', 'b\\u0061lance')))).toEqual(
    authentic,
  );
});

it('a request with an added parameter is forged, unless a header has the name of the parameter', () => {
  expect(check(withBody(signed, `${signed.body}&x=1`))).toEqual({ kind: 'forged' });
  expect(check(withBody(signed, `${signed.body}&player_id=player-2`))).toEqual({ kind: 'forged' });
  // As in PHP, the signed text contains the header instead of the parameter of the same name. The parser does
  // not read this parameter.
  expect(check(withBody(signed, `${signed.body}&X-Nonce=2`))).toEqual(authentic);
});

it('a malformed body is authenticated as an empty body, and is then refused by the parser', () => {
  const empty = { ...signed, headers: { ...signParams(merchant, new Map(), stamp) } };
  for (const body of ['%ff', '%', Buffer.from([0xff]), 'a&'.repeat(1001)]) {
    const request = withBody(empty, body);
    expect(check(request)).toEqual(authentic);
    expect(slotegrator.parse(request, terms, secrets)).toHaveProperty('invalid');
  }
  const json = withHeader(empty, 'content-type', 'application/json');
  for (const body of ['', '{', '[]', 'null', '"\ud800"', '{"a":"\\ud800"}', '['.repeat(60_000)]) {
    const request = withBody(json, body);
    expect(check(request)).toEqual(authentic);
    expect(slotegrator.parse(request, terms, secrets)).toHaveProperty('invalid');
  }
});

const terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };

it('a signature is accepted up to five minutes before and after its time, and is stale otherwise', () => {
  expect(check(signed, nowMs + 300_000)).toEqual(authentic);
  expect(check(signed, nowMs - 300_000)).toEqual(authentic);
  expect(check(signed, nowMs + 300_001)).toEqual({ kind: 'stale' });
  expect(check(signed, nowMs - 300_001)).toEqual({ kind: 'stale' });
  expect(check(withHeader(signed, 'x-sign', '0'.repeat(40)), nowMs + 300_001)).toEqual({ kind: 'forged' });
});

it('a signature is accepted with any valid key, but only together with the merchant of this key', () => {
  const next = { merchant_id: 'merchant-2', merchant_key: 'merchant-key-2' };
  expect(check(signed, nowMs, [next, ...secrets])).toEqual(authentic);
  expect(check(signed, nowMs, [next])).toEqual({ kind: 'forged' });
  expect(check(signed, nowMs, [])).toEqual({ kind: 'forged' });
  expect(check(signed, nowMs, [{ ...next, merchant_key: 'merchant-key-1' }])).toEqual({ kind: 'forged' });
});

it('an empty or absent key authenticates no request', () => {
  const request = signWalletRequest({ merchantId: 'merchant-1', merchantKey: '' }, balance, stamp);
  expect(check(request, nowMs, [{ merchant_id: 'merchant-1', merchant_key: '' }])).toEqual({
    kind: 'forged',
  });
  expect(check(request, nowMs, [{ merchant_id: 'merchant-1' }])).toEqual({ kind: 'forged' });
});

it('numbers are signed in the form in which PHP writes them', () => {
  const texts = [
    [10, '10'],
    [0.0001, '0.0001'],
    [0.000015, '1.5E-5'],
    [0.00001, '1.0E-5'],
    [123_456_789_012_345.6, '1.2345678901235E+14'],
    [0.1 + 0.2, '0.3'],
    [-20.07, '-20.07'],
    [true, '1'],
    [false, '0'],
  ] as const;
  for (const [value, text] of texts) {
    const sign = signWalletRequest(merchant, { amount: value }, stamp).headers['x-sign'];
    expect(sign).toBe(signWalletRequest(merchant, { amount: text }, stamp).headers['x-sign']);
  }
});
