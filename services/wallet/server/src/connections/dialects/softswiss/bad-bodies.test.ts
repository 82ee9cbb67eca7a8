// Generated bad requests: the dialect answers each with a validation error and never throws.
import { expect, it } from 'vitest';
import type { ProviderRequest, Terms } from '../dialect.ts';
import { signWalletRequest } from './signature.ts';
import { softswiss } from './softswiss.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '' };
const secrets = [{ token: 'token' }];
const player = { account_id: 'player-1', currency: 'EUR', game_id: 'dice' };
const bet = { id_provider: 'tx-1', type: 'bet', amount: '10.00' };
const rollback = { id_provider: 'rb-1', type: 'rollback', original_id_provider: 'tx-1' };
const valid: Record<string, object> = {
  '/balance': player,
  '/betwin': { ...player, round_id: 'r-1', finished: true, transactions: [bet, { ...bet, type: 'win' }] },
  '/rollback': { ...player, round_id_provider: 'r-1', finished: true, transactions: [rollback] },
  '/finish': { account_id: 'player-1', currency: 'EUR', round_id: 'r-1' },
};

/** A linear congruential generator with a fixed seed, so that every run has the same requests. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Values that no field of the protocol accepts. */
const badValues = [
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(129),
  'a\u0085',
  -1,
  0,
  1e308,
  0.1,
  2 ** 53,
  [],
  {},
  [[]],
  { __proto__: null },
];

/** Replaces one required field at any depth of the request. */
function spoil(value: unknown, random: (below: number) => number): unknown {
  if (Array.isArray(value)) {
    const at = random(value.length);
    return value.map((each, index) => (index === at ? spoil(each, random) : each));
  }
  const fields = Object.entries(value as object);
  const at = random(fields.length);
  return Object.fromEntries(
    fields.map(([name, each], index) => {
      if (index !== at) return [name, each];
      const goesDeeper = typeof each === 'object' && random(2) === 0;
      return [name, goesDeeper ? spoil(each, random) : badValues[random(badValues.length)]];
    }),
  );
}

function expectValidationError(request: ProviderRequest): void {
  const parsed = softswiss.parse(request, terms, secrets);
  if (!('invalid' in parsed)) throw new Error(`accepted ${request.path} ${request.body}`);
  expect(parsed.invalid.status).toBe(400);
  const { code, meta } = JSON.parse(parsed.invalid.body);
  expect([code, meta.api_code]).toEqual(['invalid_argument', '400']);
}

it('the example requests are valid before the tests below corrupt them', () => {
  for (const [path, body] of Object.entries(valid)) {
    expect(softswiss.parse(signWalletRequest('token', path, body), terms, secrets)).toHaveProperty('call');
  }
});

it.each(Object.keys(valid))(
  'a request to %s with a bad value in any one field gets a validation error',
  (path) => {
    const random = createRandom(20_261_118);
    for (let count = 0; count < 300; count++) {
      expectValidationError(signWalletRequest('token', path, spoil(valid[path], random) as object));
    }
  },
);

it.each(Object.keys(valid))(
  'a request to %s that was cut off at any byte gets a validation error',
  (path) => {
    const request = signWalletRequest('token', path, valid[path] ?? {});
    for (let length = 0; length < request.body.length; length++) {
      expectValidationError({ ...request, body: request.body.subarray(0, length) });
    }
  },
);

it.each(Object.keys(valid))(
  'a request to %s with random bytes gets an answer and causes no exception',
  (path) => {
    const random = createRandom(7);
    const request = signWalletRequest('token', path, valid[path] ?? {});
    for (let count = 0; count < 500; count++) {
      const body = Buffer.from(request.body);
      for (let changes = 1 + random(4); changes > 0; changes--)
        body.writeUInt8(random(256), random(body.length));
      const changed = { ...request, body };
      const parsed = softswiss.parse(changed, terms, secrets);
      if ('invalid' in parsed) expect(parsed.invalid.status).toBe(400);
      if (!body.equals(request.body)) expect(softswiss.authenticate(changed, secrets, 0).kind).toBe('forged');
    }
  },
);
