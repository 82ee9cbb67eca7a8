// A webhook is accepted only with a matching signature and a timestamp within the tolerance.
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from './verify-webhook.ts';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const now = new Date('2026-05-04T10:00:00Z');
const unix = String(now.getTime() / 1000);
const body = '{"type":"purchase.issued","data":{"name":"é"}}';

/** Signs a webhook as the specification requires, without using the code under test. */
const sign = (key: string, { id = 'msg_1', timestamp = unix, content = body } = {}) =>
  `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${content}`)
    .digest('base64')}`;

const headers = (signature: string, timestamp = unix) => ({
  'Webhook-Id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': [signature],
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof WebhookError ? error.code : error),
  );

it('a genuine webhook is accepted as text or bytes, with headers in an object or in Headers', async () => {
  const read = await verifyWebhook(headers(sign(secret)), body, secret, { now });
  expect(read).toEqual({ id: 'msg_1', sentAt: now, event: JSON.parse(body) });
  const web = new Headers({ ...headers(''), 'webhook-signature': sign(secret) });
  expect(await verifyWebhook(web, Buffer.from(body), secret, { now })).toEqual(read);
});

it('a webhook is accepted if one of several signatures or one of several secrets matches', async () => {
  const both = headers(`v1a,AAAA ${sign(other)} ${sign(secret)}`);
  expect(await codeOf(verifyWebhook(both, body, secret, { now }))).toBe('none');
  const own = headers(sign(secret));
  expect(await codeOf(verifyWebhook(own, body, [other, secret], { now }))).toBe('none');
});

it.each([
  ['the signature of an unknown secret', headers(sign(other)), body],
  ['a changed body', headers(sign(secret)), `${body} `],
  ['a changed id', headers(sign(secret, { id: 'msg_2' })), body],
  ['a changed timestamp', headers(sign(secret), String(Number(unix) + 1)), body],
  ['an unknown signature version', headers(sign(secret).replace('v1,', 'v2,')), body],
  ['a shortened signature', headers(sign(secret).slice(0, -4)), body],
])('a webhook with %s is refused', async (_title, given, content) => {
  expect(await codeOf(verifyWebhook(given, content, secret, { now }))).toBe('signature_invalid');
});

it('a correctly signed webhook is refused if its timestamp is 301 s old or 301 s in the future', async () => {
  for (const seconds of [-301, 301]) {
    const timestamp = String(Number(unix) + seconds);
    const given = headers(sign(secret, { timestamp }), timestamp);
    const code = await codeOf(verifyWebhook(given, body, secret, { now }));
    expect(code).toBe('timestamp_out_of_range');
  }
});

it('missing headers, a body that is not JSON and a malformed secret cause different errors', async () => {
  expect(await codeOf(verifyWebhook({}, body, secret, { now }))).toBe('headers_missing');
  const plain = headers(sign(secret, { content: 'hello' }));
  expect(await codeOf(verifyWebhook(plain, 'hello', secret, { now }))).toBe('not_json');
  const given = headers(sign(secret));
  await expect(verifyWebhook(given, body, 'whsec_short', { now })).rejects.toThrow(TypeError);
});
