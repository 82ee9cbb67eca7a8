// Generated bad requests: the dialect answers each with a validation error and never throws.
import { describe, expect, it } from 'vitest';
import type { ProviderRequest, Terms } from '../dialect.ts';
import { signWalletRequest } from './signature.ts';
import { slotegrator } from './slotegrator.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };
const merchant = { merchantId: 'm', merchantKey: 'k' };
const secrets = [{ merchant_id: 'm', merchant_key: 'k' }];
const stamp = { timestamp: 1, nonce: 'n' };
const game = { player_id: 'player-1', currency: 'EUR', game_uuid: 'g-1' };
const valid = {
  balance: { action: 'balance', player_id: 'player-1', currency: 'EUR' },
  bet: { ...game, action: 'bet', amount: '10.00', transaction_id: 't-1' },
  win: { ...game, action: 'win', amount: 10, transaction_id: 't-1', finished: true },
  refund: { ...game, action: 'refund', amount: '1', transaction_id: 't-2', bet_transaction_id: 't-1' },
  rollback: {
    ...game,
    action: 'rollback',
    transaction_id: 't-2',
    rollback_transactions: [{ action: 'bet', amount: '1', transaction_id: 't-1' }],
  },
};
type Action = keyof typeof valid;
const actions = Object.keys(valid) as Action[];

/** A linear congruential generator with a fixed seed, so that every run has the same requests. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Values that no required field accepts. */
const badValues = ['\u0000', '\ud800', 'x'.repeat(129), 'a\u0085', -1, 1e308, 1e-9, [], {}, [[]], { a: 'b' }];

/** Replaces one field at any depth of the request. */
function spoil(value: unknown, random: (below: number) => number): unknown {
  const fields = Object.entries(value as object);
  const at = random(fields.length);
  const changed = fields.map(([name, each], index) => {
    if (index !== at || name === 'finished') return [name, index === at ? 2 : each];
    const goesDeeper = typeof each === 'object' && random(2) === 0;
    return [name, goesDeeper ? spoil(each, random) : badValues[random(badValues.length)]];
  });
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
}

function expectValidationError(request: ProviderRequest): void {
  const parsed = slotegrator.parse(request, terms, secrets);
  if (!('invalid' in parsed)) throw new Error(`accepted ${request.body}`);
  expect(parsed.invalid.status).toBe(200);
  const { error_code: code, error_description: description } = JSON.parse(parsed.invalid.body);
  expect(code).toBe('INTERNAL_ERROR');
  expect(description).toMatch(/^[\w[\]]+: /);
}

describe.each(actions)('a request with the action %s', (action) => {
  const sign = (fields: unknown, format: 'form' | 'json') =>
    signWalletRequest(merchant, fields as object, stamp, format);

  it('the request is valid before the tests below corrupt it', () => {
    for (const format of ['form', 'json'] as const) {
      expect(slotegrator.parse(sign(valid[action], format), terms, secrets)).toHaveProperty('call');
    }
  });

  it('the request gets a validation error if any one field has a bad value', () => {
    const random = createRandom(20_261_118);
    for (let count = 0; count < 300; count++) {
      const fields = spoil(valid[action], random);
      expectValidationError(sign(fields, 'json'));
    }
  });

  it('the request gets a validation error, wherever its JSON is cut off', () => {
    const request = sign(valid[action], 'json');
    for (let length = 0; length < request.body.length; length++) {
      expectValidationError({ ...request, body: request.body.subarray(0, length) });
    }
  });

  it.each(['form', 'json'] as const)(
    'random bytes in a %s cause no exception, and a request with changed parameters is forged',
    (format) => {
      const random = createRandom(7);
      const request = sign(valid[action], format);
      for (let count = 0; count < 500; count++) {
        const body = Buffer.from(request.body);
        for (let changes = 1 + random(4); changes > 0; changes--) {
          body.writeUInt8(random(256), random(body.length));
        }
        const changed = { ...request, body };
        const parsed = slotegrator.parse(changed, terms, secrets);
        if ('invalid' in parsed) expect(parsed.invalid.status).toBe(200);
        const isForged = slotegrator.authenticate(changed, secrets, 1000, '').kind === 'forged';
        expect(isForged || body.equals(request.body) || isEquivalent(parsed, request)).toBe(true);
      }
    },
  );

  /**
   * Expects that a changed request is parsed to the same call. The signature covers the parameters and not
   * the bytes. So the service still accepts, for example, one more space between two fields.
   */
  function isEquivalent(parsed: unknown, request: ProviderRequest): boolean {
    expect(parsed).toEqual(slotegrator.parse(request, terms, secrets));
    return true;
  }
});

it('a form or JSON text with too many parameters or too deep nesting gets a validation error', () => {
  const form = signWalletRequest(merchant, {}, stamp);
  const json = signWalletRequest(merchant, {}, stamp, 'json');
  expectValidationError({ ...form, body: Buffer.from('a=1&'.repeat(16_000)) });
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 1]));
  expectValidationError({ ...json, body: Buffer.from(JSON.stringify({ ...valid.bet, ...many })) });
  expectValidationError({ ...json, body: Buffer.from(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`) });
});

it('a field called __proto__ in a request changes no other field and causes no exception', () => {
  const { body, ...json } = signWalletRequest(merchant, valid.bet, stamp, 'json');
  const text = String(body).replace('{', '{"__proto__":{"action":"win"},');
  const parsed = slotegrator.parse({ ...json, body: Buffer.from(text) }, terms, secrets);
  expect(parsed).toMatchObject({ call: { legs: [{ type: 'bet' }] } });
});
