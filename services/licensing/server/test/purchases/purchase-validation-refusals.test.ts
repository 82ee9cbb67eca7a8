// POST /api/purchases/validation: the status, sentence and code of each refusal, and the order of checks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { type Call, form, json, multipart, validate } from '../environment/validation-calls.ts';

let given: Given;
let key: string;
let workspaceId: bigint;
let itemId: bigint;
let code: string;

beforeAll(async () => {
  given = await givenLicensing({ AUTH_FAILURES_PER_MINUTE: '0', WRONG_CODES_PER_MINUTE: '0' });
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId);
  itemId = await given.item(workspaceId);
  code = (await given.purchase(workspaceId, itemId)).code;
});

afterAll(() => given.close());

const refusal = (answerCode: string, msg: string) => ({
  status: 'error',
  code: answerCode,
  msg,
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
});

async function expectRefusal(call: Call, status: number, answerCode: string, msg: string) {
  const answer = await validate(given, call);
  expect([answer.statusCode, answer.json()]).toEqual([
    status,
    expect.objectContaining(refusal(answerCode, msg)),
  ]);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer;
}

describe('the API key of a validation', () => {
  const past = new Date('2026-05-01T00:00:00Z');
  it.each([
    ['missing', async () => json({ purchase_code: code }), 'api_key_missing'],
    ['null', async () => json({ api_key: null, purchase_code: code }), 'api_key_missing'],
    ['unknown', async () => json({ api_key: 'nobody', purchase_code: code }), 'api_key_invalid'],
    ['a number', async () => json({ api_key: 5, purchase_code: code }), 'api_key_invalid'],
    ['a list', async () => json({ api_key: [key], purchase_code: code }), 'api_key_invalid'],
    ['a text with a NUL', async () => json({ api_key: `${key}\u0000` }), 'api_key_invalid'],
    ['a text with a lone surrogate', async () => json('{"api_key":"\\ud800"}'), 'api_key_invalid'],
    ['a text of 10 kB', async () => json({ api_key: 'k'.repeat(10_000) }), 'api_key_invalid'],
    ['the word conflict', async () => json({ api_key: 'conflict' }), 'api_key_invalid'],
    [
      'revoked',
      async () => json({ api_key: await given.apiKey(workspaceId, { revokedAt: past }) }),
      'api_key_revoked',
    ],
    [
      'expired',
      async () => form({ api_key: await given.apiKey(workspaceId, { expiresAt: past }) }),
      'api_key_expired',
    ],
    [
      'different in the body and the header',
      async () => json({ api_key: 'other', purchase_code: code }, { 'x-api-key': key }),
      'api_key_conflict',
    ],
    [
      'a number in the body, and valid in the header',
      async () => json({ api_key: 7, purchase_code: code }, { 'x-api-key': key }),
      'api_key_conflict',
    ],
    ['two keys in JSON', async () => json(`{"api_key":"${key}","api_key":"b"}`), 'api_key_conflict'],
    [
      'two keys in a form',
      async () =>
        form([
          ['api_key', key],
          ['api_key', 'b'],
        ]),
      'api_key_conflict',
    ],
    [
      'two keys in multipart',
      async () =>
        multipart([
          ['api_key', key],
          ['api_key', 'b'],
        ]),
      'api_key_conflict',
    ],
    [
      'two keys in two headers',
      async () => json({ purchase_code: code }, { 'x-api-key': key, authorization: 'Bearer b' }),
      'api_key_conflict',
    ],
  ])('the API key of a validation is refused with 401: %s', async (_title, call, answerCode) => {
    const answer = await expectRefusal(await call(), 401, answerCode, 'Invalid request');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="licensing"');
  });

  it('a key without the scope, or of an account that may not sell, gets 403', async () => {
    const narrow = await given.apiKey(workspaceId, { scopes: ['items:read'] });
    await expectRefusal(json({ api_key: narrow }), 403, 'insufficient_scope', 'Invalid request');
    const buyer = await given.workspace({
      account: { email: 'b@x.example', currency: 'USD', isSeller: false },
    });
    const theirs = await given.apiKey(buyer);
    await expectRefusal(json({ api_key: theirs }), 403, 'not_a_seller', 'Invalid request');
  });
});

describe('the purchase code of a validation', () => {
  const withKey = (body: object, query?: string) => json(body, { 'x-api-key': key }, query);
  it.each([
    ['missing', () => withKey({})],
    ['null', () => withKey({ purchase_code: null })],
    ['empty', () => withKey({ purchase_code: '' })],
    ['blank', () => withKey({ purchase_code: ' \t\n' })],
    ['a number', () => withKey({ purchase_code: 5 })],
    ['true', () => withKey({ purchase_code: true })],
    ['a list', () => withKey({ purchase_code: [code] })],
    ['an object', () => withKey({ purchase_code: { code } })],
    ['a text with a NUL', () => withKey({ purchase_code: `${code}\u0000` })],
    ['a text with a lone surrogate', () => json(`{"api_key":"${key}","purchase_code":"a\\udc00"}`)],
    ['a text of two lines', () => withKey({ purchase_code: 'a\nb' })],
    ['a text of 129 characters', () => withKey({ purchase_code: 'é'.repeat(129) })],
    ['a text of 10 kB', () => withKey({ purchase_code: 'c'.repeat(10_000) })],
    ['a parameter called purchase_code[]', () => ({ query: `api_key=${key}&purchase_code[]=${code}` })],
    ['two codes in JSON', () => json(`{"api_key":"${key}","purchase_code":"${code}","purchase_code":"b"}`)],
    ['two codes in the query', () => ({ query: `api_key=${key}&purchase_code=${code}&purchase_code=b` })],
    [
      'one code in the query, another code in the body',
      () => withKey({ purchase_code: code }, 'purchase_code=b'),
    ],
    [
      'a text in the query, a list in the body',
      () => withKey({ purchase_code: [code] }, `purchase_code=${code}`),
    ],
  ])('a code is refused with 400: %s', async (_title, call) => {
    const answer = await expectRefusal(call(), 400, 'invalid_parameter', 'Invalid purchase code');
    expect(Object.keys(answer.json().errors)).toEqual(['purchase_code']);
  });

  it('a code of 128 characters is well-formed, and gets 404 if it is unknown', async () => {
    const call = withKey({ purchase_code: '😀'.repeat(128) });
    await expectRefusal(call, 404, 'purchase_not_found', 'Invalid purchase code');
  });

  it.each(['refunded', 'cancelled', 'disputed'] as const)(
    'a code of a %s purchase gets 404',
    async (state) => {
      const sale = await given.purchase(workspaceId, itemId, { state });
      const call = withKey({ purchase_code: sale.code });
      await expectRefusal(call, 404, `purchase_${state}`, 'Invalid purchase code');
    },
  );
});

describe('the body of a validation', () => {
  it.each([
    ['broken JSON', 'application/json', `{"api_key":`],
    ['a list', 'application/json', '[]'],
    ['words', 'application/json', 'hello'],
    ['broken JSON without a content type', undefined, '{"a"'],
    ['multipart without an end', 'multipart/form-data; boundary=x', '--x\r\nContent-Dis'],
  ])('the body of a validation is refused with status 400: %s', async (_title, type, payload) => {
    const headers = { 'x-api-key': key, ...(type !== undefined && { 'content-type': type }) };
    await expectRefusal({ headers, payload }, 400, 'invalid_body', 'Invalid request');
  });

  it('the body of a validation is refused with 415 if its content type is unsupported', async () => {
    const headers = { 'x-api-key': key, 'content-type': 'text/plain' };
    const call = { headers, payload: 'hello' };
    await expectRefusal(call, 415, 'unsupported_media_type', 'Invalid request');
  });

  it('a body of more than 64 KiB is refused with 413, even without a key', async () => {
    const body = JSON.stringify({ purchase_code: 'c'.repeat(65_536) });
    await expectRefusal(json(body), 413, 'body_too_large', 'Invalid request');
  });

  it('a body may be empty if the query has the key and the code', async () => {
    const query = `api_key=${key}&purchase_code=${code}`;
    const answer = await validate(given, {
      headers: { 'content-type': 'application/json' },
      payload: '',
      query,
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('the order of checks in a validation', () => {
  const broken = '{"purchase_code":';
  it('a wrong key in the header is reported before a broken body', async () => {
    const call = json(broken, { 'x-api-key': 'nobody' });
    await expectRefusal(call, 401, 'api_key_invalid', 'Invalid request');
  });

  it('a broken body is reported before a missing key', async () => {
    await expectRefusal(json(broken), 400, 'invalid_body', 'Invalid request');
  });

  it('different keys are reported before a missing scope, and the scope before a broken body', async () => {
    const narrow = await given.apiKey(workspaceId, { scopes: ['items:read'] });
    const call = json(broken, { 'x-api-key': narrow });
    await expectRefusal(call, 403, 'insufficient_scope', 'Invalid request');
    const two = json({ api_key: 'other' }, { 'x-api-key': narrow });
    await expectRefusal(two, 401, 'api_key_conflict', 'Invalid request');
  });

  it('an account that may not sell is reported before an invalid code', async () => {
    const buyer = await given.workspace({
      account: { email: 'b@x.example', currency: 'USD', isSeller: false },
    });
    const call = json({ api_key: await given.apiKey(buyer), purchase_code: '' });
    await expectRefusal(call, 403, 'not_a_seller', 'Invalid request');
  });

  it('a wrong method is reported before a missing key', async () => {
    const answer = await given.app.inject({ url: '/api/purchases/validation' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    expect(answer.json()).toEqual(refusal('method_not_allowed', 'Invalid request'));
  });
});
