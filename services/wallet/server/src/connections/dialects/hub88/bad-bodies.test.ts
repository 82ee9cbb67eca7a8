// Generated bad requests: the dialect answers each with a validation status and never throws.
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ProviderRequest, Terms } from '../dialect.ts';
import { hub88 } from './hub88.ts';
import { signWalletRequest } from './signature.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const secrets = [{ provider_public_key_pem: publicKey }];
const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };
const player = { user: 'player-1', token: 'gs_1', request_uuid: 'request-1' };
const rollback = {
  ...player,
  transaction_uuid: 'tx-1',
  round: 'round-1',
  round_closed: true,
  game_code: 'dice',
  reference_transaction_uuid: 'tx-0',
};
const { reference_transaction_uuid: _reference, ...unpriced } = rollback;
const bet = { ...unpriced, is_free: false, currency: 'EUR', amount: 100_000 };
/**
 * Removes the token from wins and rollbacks. The tests corrupt each field and expect a refusal. But the
 * dialect does not check the token of a win or a rollback.
 */
const without = ({ token: _token, ...rest }: { token: string }) => rest;
const valid: Record<string, object> = {
  '/user/info': player,
  '/user/balance': player,
  '/transaction/bet': bet,
  '/transaction/win': without({ ...bet, ...rollback }),
  '/transaction/rollback': without(rollback),
};
const paths = Object.keys(valid);
const requestTo = (path: string) => signWalletRequest(privateKey, path, valid[path] ?? {});

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
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\u0085"',
  `"${'x'.repeat(129)}"`,
  '-1',
  '1e5',
  '0.1',
  '1.00000000000000001',
  '9007199254740993',
  '1e308',
  '[]',
  '{}',
  '[[]]',
  '["player-1"]',
  '{"__proto__":null}',
];

const statuses = ['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES', 'RS_ERROR_WRONG_CURRENCY'];

function expectRefusal(request: ProviderRequest): void {
  const parsed = hub88.parse(request, terms, secrets);
  if (!('invalid' in parsed)) throw new Error(`accepted ${request.path} ${request.body}`);
  expect(parsed.invalid.status).toBe(200);
  expect(statuses).toContain(JSON.parse(parsed.invalid.body).status);
}

it.each(paths)('the example request to %s is valid before the tests below corrupt it', (path) => {
  const request = requestTo(path);
  expect(hub88.parse(request, terms, secrets)).toHaveProperty('call');
  expect(hub88.authenticate(request, secrets, 0, '').kind).toBe('authentic');
});

it.each(paths)('a request to %s with a bad value in any field gets a validation status', (path) => {
  const fields = Object.entries(valid[path] ?? {});
  for (const [spoilt] of fields) {
    for (const bad of badValues) {
      const write = ([name, value]: [string, unknown]) =>
        `"${name}":${name === spoilt ? bad : JSON.stringify(value)}`;
      const body = Buffer.from(`{${fields.map(write).join(',')}}`);
      expectRefusal({ ...requestTo(path), body });
    }
  }
});

it.each(paths)('a request to %s without one of its required fields gets a validation status', (path) => {
  const optional = ['round_closed', 'is_free'];
  if (path === '/user/info') optional.push('token');
  if (path === '/transaction/rollback') optional.push('round', 'game_code');
  for (const name of Object.keys(valid[path] ?? {})) {
    if (optional.includes(name)) continue;
    const body = Buffer.from(JSON.stringify({ ...valid[path], [name]: undefined }));
    expectRefusal({ ...requestTo(path), body });
  }
});

it.each(paths)('a request to %s gets a validation status, wherever its body is cut off', (path) => {
  const request = requestTo(path);
  for (let length = 0; length < request.body.length; length++) {
    expectRefusal({ ...request, body: request.body.subarray(0, length) });
  }
});

it.each([
  ['an array', '[]'],
  ['a text', '"x"'],
  ['a number', '1'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['two objects', '{}{}'],
  ['a form', 'user=player-1'],
  ['deeply nested', '['.repeat(60_000)],
  ['an object after a byte order mark', '\ufeff{"user":"player-1"}'],
])('a body that is %s gets a validation status', (_name, text) => {
  for (const path of paths) expectRefusal({ ...requestTo(path), body: Buffer.from(text) });
});

it('a body that is not UTF-8 gets a validation status', () => {
  for (const path of paths) {
    const request = requestTo(path);
    const text = request.body.toString('latin1').replace('player-1', 'player-\xe9');
    expectRefusal({ ...request, body: Buffer.from(text, 'latin1') });
  }
});

it.each(paths)(
  'a request to %s with random bytes in its body counts as forged and causes no exception',
  (path) => {
    const random = createRandom(20_261_118);
    const request = requestTo(path);
    for (let count = 0; count < 300; count++) {
      const body = Buffer.from(request.body);
      for (let changes = 1 + random(4); changes > 0; changes--) {
        body.writeUInt8(random(256), random(body.length));
      }
      const changed = { ...request, body };
      const parsed = hub88.parse(changed, terms, secrets);
      if ('invalid' in parsed) expect(parsed.invalid.status).toBe(200);
      if (!body.equals(request.body)) expect(hub88.authenticate(changed, secrets, 0, '').kind).toBe('forged');
    }
  },
);
