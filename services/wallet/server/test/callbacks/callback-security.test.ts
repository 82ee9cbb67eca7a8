// POST /api/v1/game/callback: authentication, signed and encrypted bodies, and forged callbacks.
import { createHmac } from 'node:crypto';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveCallbackKeys } from '../../src/callbacks/security/callback-keys.ts';
import { signRequest } from '../../src/callbacks/security/signature.ts';
import { callbackHeaders, createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram, type Send } from '../environment/people.ts';

const path = '/api/v1/game/callback';
let given: Given;
let program: Send;

beforeAll(async () => {
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' });
  program = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const unixNow = () => Math.floor(given.clock.now.getTime() / 1000);

const sign = (aesKey: string, body: string, more: { unix?: number; path?: string } = {}) => ({
  'x-signature': signRequest(deriveCallbackKeys(aesKey).sign, {
    unix: more.unix ?? unixNow(),
    method: 'POST',
    path: more.path ?? path,
    body: Buffer.from(body),
  }),
});

const jose = { 'content-type': 'application/jose' };
const encrypt = (aesKey: string, payload: unknown, enc = 'A256GCM') => {
  const { encrypt: key } = deriveCallbackKeys(aesKey);
  return new CompactEncrypt(Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'dir', enc })
    .encrypt(key);
};

const decrypt = async (aesKey: string, jwe: string) => {
  const { plaintext } = await compactDecrypt(jwe, deriveCallbackKeys(aesKey).encrypt);
  return JSON.parse(Buffer.from(plaintext).toString('utf8'));
};

/** Verifies a signature without the code of the service, as a provider would. */
function expectSigned(aesKey: string, answer: Awaited<ReturnType<Given['app']['inject']>>) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(answer.headers['x-signature'])) ?? [];
  const mac = createHmac('sha256', deriveCallbackKeys(aesKey).sign)
    .update(`${t}.${answer.statusCode}.${answer.body}`)
    .digest('hex');
  expect(v1).toBe(mac);
  expect(Number(t)).toBe(unixNow());
}

const inject = (of: GivenPackage, payload: string | Buffer, headers: Record<string, string> = {}) =>
  given.app.inject({
    method: 'POST',
    url: path,
    headers: { ...callbackHeaders(of), ...headers },
    payload,
  });

const listForgeries = async (packageId: number) => {
  const url = `/admin/v1/packages/${packageId}/audit-log?action=callback_forged`;
  return (await program('GET', url)).body.data.entries as {
    actor: { kind: string };
    address: string;
    details: { reason: string; count: number };
  }[];
};

describe('the credentials and IP addresses of a sender', () => {
  it('the callback route accepts both kinds of pairs; other routes refuse callback pairs', async () => {
    const owner = await given.package();
    const player = await given.player(owner, { balance: '5.00' });
    const headers = callbackHeaders(owner);
    const elsewhere = [
      ['GET', `/api/v1/user/balance?player_id=${player}`],
      ['GET', `/api/v1/user/list`],
      ['GET', '/api/v1/package'],
      ['GET', '/api/v1/feed'],
      ['GET', '/api/v1/round?round_id=r'],
      ['GET', `/api/v1/user/transaction?transaction_id=t`],
      ['POST', '/api/v1/user/create'],
      ['POST', '/api/v1/user/update_balance'],
      ['POST', '/api/v1/user/status'],
    ] as const;
    for (const [method, url] of elsewhere) {
      const payload = method === 'POST' ? { payload: {} } : {};
      const answer = await given.app.inject({ method, url, headers, ...payload });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'insufficient_scope']);
    }
    const body = JSON.stringify({ action: 'balance', player_id: player });
    expect((await inject(owner, body)).statusCode).toBe(200);
    expect((await inject(owner, body, owner.headers)).statusCode).toBe(200);
  });

  it('only the list of callback addresses restricts callbacks; Origin and caller list do not', async () => {
    const owner = await given.package({ callerAddresses: ['203.0.113.9'] });
    const player = await given.player(owner);
    const body = JSON.stringify({ action: 'balance', player_id: player });
    const far = { origin: 'https://elsewhere.example' };
    expect((await inject(owner, body, far)).statusCode).toBe(200);
    const strict = await given.package({ callbackAddresses: ['203.0.113.9'] });
    const answer = await inject(strict, body);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'address_not_allowed']);
    const loose = await given.package({ callbackAddresses: ['127.0.0.0/8'] });
    expect((await inject(loose, '{}')).json().code).toBe('invalid_parameter');
  });
});

describe('a package with signed callbacks', () => {
  it('a signature over the raw bytes of the body is accepted, and every answer is signed', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner, { balance: '5.00' });
    // Senders may choose the spaces and the order of the fields.
    const body = `{ "amount": 1.50,"action":"bet",\n"player_id":"${player}","transaction_id":"s1" }`;
    const answer = await inject(owner, body, sign(owner.aesKey, body));
    expect(answer.json()).toMatchObject({ status: 'success', balance: 3.5 });
    expectSigned(owner.aesKey, answer);
    const poor = body.replace('1.50', '9').replace('s1', 's2');
    const refusal = await inject(owner, poor, sign(owner.aesKey, poor));
    expect(refusal.statusCode).toBe(422);
    expectSigned(owner.aesKey, refusal);
    for (const [broken, code] of [
      ['{"action":', 'invalid_body'],
      ['[]', 'invalid_body'],
      ['{}', 'invalid_parameter'],
    ] as const) {
      const fault = await inject(owner, broken, sign(owner.aesKey, broken));
      expect(fault.json().code).toBe(code);
      expectSigned(owner.aesKey, fault);
    }
    const wrongType = await inject(owner, body, {
      ...sign(owner.aesKey, body),
      'content-type': 'text/plain',
    });
    expect(wrongType.statusCode).toBe(415);
    expectSigned(owner.aesKey, wrongType);
  });

  it('a signature is valid with any query string; a signature over another path is refused', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner);
    const body = JSON.stringify({ action: 'balance', player_id: player });
    const withQuery = await given.app.inject({
      method: 'POST',
      url: `${path}?from=somewhere`,
      headers: { ...callbackHeaders(owner), ...sign(owner.aesKey, body) },
      payload: body,
    });
    expect(withQuery.statusCode).toBe(200);
    const elsewhere = sign(owner.aesKey, body, { path: '/other' });
    expect((await inject(owner, body, elsewhere)).json().code).toBe('signature_invalid');
  });

  it('the package accepts a clock difference of up to 300 s in both directions', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner);
    const body = JSON.stringify({ action: 'balance', player_id: player });
    const at = async (offset: number) =>
      (await inject(owner, body, sign(owner.aesKey, body, { unix: unixNow() + offset }))).json().code;
    expect(await at(-300)).toBeUndefined();
    expect(await at(300)).toBeUndefined();
    expect(await at(-301)).toBe('timestamp_out_of_range');
    expect(await at(301)).toBe('timestamp_out_of_range');
  });

  it('the previous key is accepted during the overlap, and the answer is signed with that key', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner);
    const body = JSON.stringify({ action: 'balance', player_id: player });
    const url = `/admin/v1/packages/${owner.id}/aes-key/rotate`;
    const rotated = (await program('POST', url, { overlap: '1h' })).body.data.aes_key as string;
    await eventually(async () => {
      const fresh = await inject(owner, body, sign(rotated, body));
      expect(fresh.statusCode).toBe(200);
      expectSigned(rotated, fresh);
    });
    const old = await inject(owner, body, sign(owner.aesKey, body));
    expect(old.statusCode).toBe(200);
    expectSigned(owner.aesKey, old);
    const before = given.clock.now;
    given.clock.now = new Date(before.getTime() + 3_600_001);
    try {
      const late = await inject(owner, body, sign(owner.aesKey, body));
      expect(late.json().code).toBe('signature_invalid');
      expect((await inject(owner, body, sign(rotated, body))).statusCode).toBe(200);
    } finally {
      given.clock.now = before;
    }
  });
});

describe('a package with encrypted callbacks', () => {
  it('a JWE is accepted, and every answer to a JWE is a JWE, even if the answer is an error', async () => {
    const owner = await given.package({ callbackSecurity: 'encrypted' });
    const player = await given.player(owner, { balance: '5.00' });
    const bet = {
      action: 'bet',
      player_id: player,
      transaction_id: 'e1',
      amount: 2,
      iat: unixNow(),
    };
    const answer = await inject(owner, await encrypt(owner.aesKey, bet), jose);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/jose');
    expect(await decrypt(owner.aesKey, answer.body)).toMatchObject({
      status: 'success',
      balance: 3,
      iat: unixNow(),
    });
    const poor = await inject(
      owner,
      await encrypt(owner.aesKey, { ...bet, transaction_id: 'e2', amount: 50 }),
      jose,
    );
    expect(poor.statusCode).toBe(422);
    expect(await decrypt(owner.aesKey, poor.body)).toMatchObject({
      code: 'insufficient_funds',
      balance: 3,
      package_balance: expect.any(Number),
    });
    const asJson = { 'content-type': 'application/json' };
    const wrongType = await inject(owner, await encrypt(owner.aesKey, bet), asJson);
    expect(wrongType.statusCode).toBe(415);
    expect((await decrypt(owner.aesKey, wrongType.body)).code).toBe('unsupported_media_type');
  });

  it('plain JSON, a JWE with a wrong key, and a missing or wrong iat are refused', async () => {
    const owner = await given.package({ callbackSecurity: 'encrypted' });
    const player = await given.player(owner, { balance: '5.00' });
    const ask = { action: 'balance', player_id: player };
    const codeOf = async (payload: string, headers: Record<string, string> = jose) => {
      const answer = await inject(owner, payload, headers);
      expect(answer.statusCode).toBe(401);
      // The sender is not authenticated, so the answer contains nothing about the package.
      expect(answer.json()).not.toHaveProperty('package_balance');
      return answer.json().code;
    };
    const invalid = 'signature_invalid';
    expect(await codeOf(JSON.stringify({ ...ask, iat: unixNow() }))).toBe(invalid);
    expect(await codeOf(JSON.stringify(ask), {})).toBe(invalid);
    expect(await codeOf('')).toBe(invalid);
    const otherKey = (await given.package()).aesKey;
    expect(await codeOf(await encrypt(otherKey, { ...ask, iat: unixNow() }))).toBe(invalid);
    const range = 'timestamp_out_of_range';
    expect(await codeOf(await encrypt(owner.aesKey, ask))).toBe(range);
    expect(await codeOf(await encrypt(owner.aesKey, { ...ask, iat: unixNow() - 301 }))).toBe(range);
    expect(await codeOf(await encrypt(owner.aesKey, { ...ask, iat: String(unixNow()) }))).toBe(range);
    expect(await codeOf(await encrypt(owner.aesKey, 'null'))).toBe(range);
    expect(await codeOf(await encrypt(owner.aesKey, 'no json'))).toBe(range);
  });

  it('a JWE whose base64url is not canonical is refused', async () => {
    const owner = await given.package({ callbackSecurity: 'encrypted' });
    const player = await given.player(owner, { balance: '5.00' });
    const ask = { action: 'balance', player_id: player, iat: unixNow() };
    const jwe = await encrypt(owner.aesKey, ask);
    // The last character of a 16-byte tag has 2 bits of the tag and 4 unused bits. A text that differs only
    // in the unused bits decodes to the same tag, but must be refused too.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const slack = alphabet[alphabet.indexOf(jwe.at(-1) ?? '') ^ 1];
    for (const other of [`${jwe.slice(0, -1)}${slack}`, `${jwe}==`, `${jwe}\n`, ` ${jwe}`]) {
      const answer = await inject(owner, other, jose);
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'signature_invalid']);
    }
    expect((await inject(owner, jwe, jose)).statusCode).toBe(200);
  });
});

describe('a forged callback', () => {
  it('a forged callback changes nothing, and the audit log has at most two lines per reason', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const other = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner, { balance: '5.00' });
    const body = JSON.stringify({
      action: 'win',
      player_id: player,
      transaction_id: 'forged',
      amount: 1000,
    });
    const good = { ...callbackHeaders(owner), ...sign(owner.aesKey, body) };
    const without = (name: string) =>
      Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
    const before = await createProvider(given, owner).books();
    const forge = async (headers: Record<string, string>, payload = body) => {
      const answer = await given.app.inject({ method: 'POST', url: path, headers, payload });
      return [answer.statusCode, answer.json().code];
    };
    for (const name of ['x-uid', 'x-api-key', 'x-api-secret']) {
      expect(await forge(without(name))).toEqual([401, 'auth_missing']);
    }
    expect(await forge({ ...good, 'x-api-secret': other.callback.apiSecret })).toEqual([401, 'auth_invalid']);
    expect(await forge({ ...good, 'x-api-key': other.callback.apiKey })).toEqual([401, 'auth_invalid']);
    const invalid = [401, 'signature_invalid'];
    expect(await forge(without('x-signature'))).toEqual(invalid);
    expect(await forge({ ...good, 'x-signature': 't=1,v1=zz' })).toEqual(invalid);
    expect(await forge({ ...good, ...sign(other.aesKey, body) })).toEqual(invalid);
    for (let place = 0; place < body.length; place += 7) {
      const changed = Buffer.from(body);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(await forge(good, changed.toString('latin1'))).toEqual(invalid);
    }
    const old = sign(owner.aesKey, body, { unix: unixNow() - 301 });
    expect(await forge({ ...good, ...old })).toEqual([401, 'timestamp_out_of_range']);
    // If the time in a captured signature is replaced, the signature is not valid.
    const renewed = old['x-signature'].replace(/t=\d+/, `t=${unixNow()}`);
    expect(await forge({ ...good, 'x-signature': renewed })).toEqual(invalid);
    expect(await createProvider(given, owner).books()).toEqual(before);

    await eventually(async () => {
      const lines = await listForgeries(owner.id);
      expect(new Set(lines.map((line) => line.details.reason))).toEqual(
        new Set(['auth_missing', 'auth_invalid', 'signature_invalid', 'timestamp_out_of_range']),
      );
      expect(lines.every((line) => line.actor.kind === 'stranger')).toBe(true);
      expect(lines.every((line) => line.address === '127.0.0.1')).toBe(true);
      // About thirty forgeries give two lines per reason. The first line is for the first forgery, and the
      // second line is for all further forgeries of the minute.
      expect(lines.length).toBeLessThanOrEqual(8);
    });
    const text = given.logLines.join('\n');
    for (const secret of [owner.callback.apiSecret, other.callback.apiSecret, owner.aesKey]) {
      expect(text).not.toContain(secret);
    }
  });

  it('a forged callback with an unknown UID is in the audit log of the platform', async () => {
    const owner = await given.package();
    const headers = { ...callbackHeaders(owner), 'x-uid': 'UID_nobody' };
    await given.app.inject({ method: 'POST', url: path, headers, payload: '{}' });
    await eventually(async () => {
      const url = '/admin/v1/audit-log?action=callback_forged';
      const { entries } = (await program('GET', url)).body.data;
      expect(entries[0].details.reason).toBe('auth_invalid');
    });
  });
});
