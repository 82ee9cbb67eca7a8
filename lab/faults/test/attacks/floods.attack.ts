// Sends too many headers, and sends too large and too deeply nested bodies to every operation with a JSON
// body.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation } from './operations.ts';
import { lines, sendRaw, shortenTimeouts } from './raw.ts';
import { openSender, type Sender } from './send.ts';
import { makeJsonRequest, type Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

const deep = {
  arrays: Buffer.from('['.repeat(60_000)),
  objects: Buffer.from('{"a":'.repeat(12_000)),
  closed: Buffer.from(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  members: Buffer.from(`{${Array.from({ length: 5000 }, (_, i) => `"k${i}":0`).join(',')}}`),
};
const large = Buffer.from(JSON.stringify({ a: 'x'.repeat(64 * 1024) }));

const takesJson = (operation: Operation) =>
  Object.keys(operation.requestBody?.content ?? {}).includes('application/json');

describe.each([
  ['licensing', openLicensingTarget, 30],
  ['wallet', openWalletTarget, 40],
] as const)('the service %s', (_name, open, atLeast) => {
  let target: Target;
  let sender: Sender;
  let operations: Operation[];
  beforeAll(async () => {
    target = await open();
    shortenTimeouts(target.server);
    sender = openSender(target.port);
    operations = listOperations(target.document).filter(takesJson);
  });
  afterAll(async () => {
    sender.close();
    await target.close();
  });

  const post = (operation: Operation, body: Buffer) => sender.send(makeJsonRequest(target, operation, body));

  it('the service refuses a body over the limit on every operation and changes nothing', async () => {
    expect(operations.length).toBeGreaterThanOrEqual(atLeast);
    const fingerprint = await createFingerprint(target.db, target.logTables);
    const before = await fingerprint();
    for (const operation of operations) {
      const { status, text } = await post(operation, large);
      expect([operation.title, status, JSON.parse(text).code]).toEqual([
        operation.title,
        413,
        'body_too_large',
      ]);
    }
    expect(listChanges(before, await fingerprint())).toEqual([]);
  });

  it('a body with too many nested levels or too many fields causes no 5xx', async () => {
    for (const operation of operations) {
      for (const [form, body] of Object.entries(deep)) {
        const { status } = await post(operation, body);
        expect([operation.title, form, status < 500], `${status}`).toEqual([operation.title, form, true]);
      }
    }
  });

  it.each([
    ['one header of 40 KiB', [`X-A: ${'a'.repeat(40 * 1024)}`]],
    ['20,000 headers', Array.from({ length: 20_000 }, (_, i) => `X-${i}: a`)],
    ['a cookie of 33 KiB', [`Cookie: ${'a=b; '.repeat(6_800)}`]],
    ['a header name of 40 KiB', [`${'X'.repeat(40 * 1024)}: a`]],
  ])(
    'the service answers %s with 431 in the standard error format, and closes the connection',
    async (_title, headers) => {
      const request = `${lines('GET /healthz HTTP/1.1', 'Host: x', ...headers)}\r\n\r\n`;
      const answer = await sendRaw(target.port, Buffer.from(request));
      expect(answer.isClosed).toBe(true);
      expect(answer.statuses).toEqual([431]);
      expect(answer.text).toContain('"code":"headers_too_large"');
    },
  );

  it('the service answers 414 to a URL of 9 KiB, and 200 to a request with 1,000 short headers', async () => {
    const long = `GET /${'a'.repeat(9 * 1024)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(target.port, Buffer.from(long))).statuses).toEqual([414]);
    const many = Array.from({ length: 1000 }, (_, i) => `X-${i}: a`);
    const request = `${lines('GET /healthz HTTP/1.1', 'Host: x', 'Connection: close', ...many)}\r\n\r\n`;
    expect((await sendRaw(target.port, Buffer.from(request))).statuses).toEqual([200]);
  });
});
