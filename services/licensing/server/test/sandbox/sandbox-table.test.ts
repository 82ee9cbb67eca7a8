// Compares every row about licensing in docs/guide/sandbox.md with the running service.
import { join } from 'node:path';
import { readDocumentedCalls } from '@counterfoil/kit/testing/openapi/documented-calls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playedCodes } from '../../src/purchases/validation/test-codes.ts';
import { testPurchases } from '../../src/sandbox/test-data.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const calls = await readDocumentedCalls(
  join(import.meta.dirname, '../../../../../docs/guide/sandbox.md'),
  'Licensing',
);

let given: Given;
let address: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  given = await givenLicensing();
  const owner = await givenSignedIn(given, await given.workspace());
  for (const kind of ['secret', 'publishable']) {
    const made = await owner.post(`${owner.base}/api-keys`, { name: kind, kind, mode: 'test' });
    keys[kind === 'secret' ? 'test.headers' : 'publishable.headers'] = made.body.data.secret;
  }
  address = await given.app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => given.close());

const send = (call: (typeof calls)[number]) =>
  fetch(`${address}${call.path}`, {
    method: call.method,
    headers: {
      'x-api-key': keys[call.headersFile] ?? '',
      ...(call.body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(call.body !== undefined && { body: call.body }),
  });

it.each(calls)('the documented call ($title) gets $status $code', async (call) => {
  const waited: number[] = [];
  given.slowCode.wait = async (ms) => waited.push(ms);
  const answer = await send(call);
  const text = await answer.text();
  expect([answer.status, JSON.parse(text).code]).toEqual([call.status, call.code]);
  expect(waited).toEqual(call.leastMs > 0 ? [call.leastMs] : []);
  if (call.retryAfter) expect(answer.headers.get('retry-after')).toBe(call.retryAfter);
  for (const fact of call.holds) expect(text).toContain(fact);
  for (const fact of call.lacks) expect(text).not.toContain(fact);
});

it('the table lists every test code, and each code gets the same answer in a JSON request', async () => {
  const wanted = [...testPurchases.map(({ code }) => code), ...Object.values(playedCodes)];
  const shown = calls.map(({ body = '' }) => body.replace('purchase_code=', ''));
  expect(wanted.filter((code) => !shown.includes(code))).toEqual([]);
  // Sends each code as plain JSON over a real connection too. For live keys, the fast path answers requests
  // of this form.
  for (const call of calls.filter(({ body = '', leastMs }) => body !== '' && leastMs === 0)) {
    const code = call.body?.replace('purchase_code=', '');
    const answer = await fetch(`${address}${call.path}`, {
      method: 'POST',
      headers: { 'x-api-key': keys[call.headersFile] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ purchase_code: code }),
    });
    const { code: received } = (await answer.json()) as { code?: string };
    expect([call.title, answer.status, received]).toEqual([call.title, call.status, call.code]);
  }
});
