// A head is stored only if its lines are exactly what node:http has read. Another head matches the stored
// head only if both are equal except for the digits of `Content-Length`.
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { cutHead, findBody, type KnownHead, measureMessage, prepareHead } from './known-head.ts';

const write = (lines: readonly string[], body = '') =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
const post = (length: number | string, body = '', more: readonly string[] = []) =>
  write(['POST /a HTTP/1.1', 'Host: x', `Content-Length: ${length}`, ...more], body);

/** The request as node:http parses it. */
async function parse(bytes: Buffer): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const parsed = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  socket.write(bytes);
  const raw = await parsed;
  socket.destroy();
  server.close();
  return raw;
}

async function prepare(bytes: Buffer): Promise<KnownHead | undefined> {
  const head = cutHead(bytes);
  return head === undefined ? undefined : prepareHead(head, await parse(bytes));
}

async function getPrepared(bytes: Buffer): Promise<KnownHead> {
  const known = await prepare(bytes);
  if (!known) throw new Error('the head was not stored');
  return known;
}

describe('cutHead', () => {
  it('cutHead returns the bytes up to the first empty line', () => {
    expect(cutHead(post(2, '{}'))).toBe(post(2).toString());
    expect(cutHead(post(9, '{}\r\n\r\n...'))).toBe(post(9).toString());
  });

  it.each([
    ['an incomplete head', Buffer.from('POST /a HTTP/1.1\r\nHost: x\r\n')],
    ['a bare LF', Buffer.from('POST /a HTTP/1.1\nHost: x\r\n\r\n')],
    ['a head that ends in bare LFs', Buffer.from('POST /a HTTP/1.1\r\nHost: x\n\nbody\r\n\r\n')],
    ['a bare CR', Buffer.from('POST /a HTTP/1.1\r\nA: b\rC: d\r\n\r\n')],
    ['a folded line', Buffer.from('POST /a HTTP/1.1\r\nA: b\r\n c\r\n\r\n')],
    ['an empty first line', Buffer.from('\r\nPOST /a HTTP/1.1\r\nA: b\r\n\r\n')],
    ['a NUL', Buffer.from('POST /a HTTP/1.1\r\nA: \0\r\n\r\n')],
    ['a byte above ASCII', Buffer.from('POST /a HTTP/1.1\r\nA: \xe4\r\n\r\n', 'latin1')],
    ['more than 4 KiB', write(['POST /a HTTP/1.1', `A: ${'x'.repeat(4096)}`])],
  ])('cutHead returns undefined for %s', (_name, bytes) => {
    expect(cutHead(bytes)).toBeUndefined();
  });
});

describe('measureMessage', () => {
  it.each([
    ['a body with a length', post(2, '{}'), post(2, '{}').length],
    ['no body', write(['GET /a HTTP/1.1', 'Host: x']), write(['GET /a HTTP/1.1', 'Host: x']).length],
    ['chunks', write(['POST /a HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked'], '0\r\n\r\n'), undefined],
    ['an upgrade', write(['GET /a HTTP/1.1', 'Host: x', 'Upgrade: h2c']), undefined],
  ])('measureMessage returns the length or undefined for a message with %s', async (_name, bytes, length) => {
    expect(measureMessage(cutHead(bytes) ?? '', await parse(bytes))).toBe(length);
  });
});

describe('prepareHead and findBody', () => {
  it.each([
    ['the same message', post(2, '{}'), 2],
    ['another length with as many digits', post(7, '{"a":1}'), 7],
    ['a longer length', post(12, '{"a":123456}'), 12],
    ['an empty body', post(0), 0],
  ])('findBody finds the body in %s', async (_name, bytes, length) => {
    const known = await getPrepared(post(2, '{}'));
    expect(findBody(known, bytes)).toBe(bytes.length - length);
  });

  it.each([
    ['a body that is too short', post(3, '{}')],
    ['a body that is too long', post(1, '{}')],
    ['two messages', Buffer.concat([post(2, '{}'), post(2, '{}')])],
    ['a length with a leading zero', post('02', '{}')],
    ['a length with a sign', post('+2', '{}')],
    ['a length with a blank', post('2 ', '{}')],
    ['two lengths', post('2, 2', '{}')],
    ['a hexadecimal length', post('0x2', '{}')],
    ['no length', post('', '{}')],
    ['a length of six digits', post('000002', '{}')],
    ['one more header', post(2, '{}', ['A: b'])],
    ['another case', Buffer.from(post(2, '{}').toString().replace('Host', 'host'))],
    ['another path', Buffer.from(post(2, '{}').toString().replace('/a', '/b'))],
    ['no bytes', Buffer.alloc(0)],
  ])('findBody finds no body in %s', async (_name, bytes) => {
    const known = await getPrepared(post(2, '{}'));
    expect(findBody(known, bytes)).toBe(-1);
  });

  it('findBody finds no body if the head is cut or if any byte of the head differs', async () => {
    const whole = post(2, '{}');
    const known = await getPrepared(whole);
    const headLength = whole.length - 2;
    for (let at = 0; at < headLength; at++) {
      expect(findBody(known, whole.subarray(0, at))).toBe(-1);
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x20;
      expect([at, findBody(known, changed)]).toEqual([at, -1]);
    }
  });

  it('a GET request matches a known head only if all bytes of the request are equal', async () => {
    const bytes = write(['GET /a?b=1 HTTP/1.1', 'Host: x']);
    const known = await getPrepared(bytes);
    expect(findBody(known, bytes)).toBe(bytes.length);
    expect(findBody(known, write(['GET /a?b=2 HTTP/1.1', 'Host: x']))).toBe(-1);
    expect(findBody(known, Buffer.concat([bytes, Buffer.from('{}')]))).toBe(-1);
  });

  it('prepareHead stores a head with blanks around the values, and finds the content length', async () => {
    const spaced = (length: number, body: string) =>
      write(['POST /2 HTTP/1.1', 'Host:x', 'X-2:  2 ', `Content-Length:   ${length}  `], body);
    const known = await getPrepared(spaced(2, '{}'));
    expect(findBody(known, spaced(7, '{"a":1}'))).toBe(spaced(7, '').length);
  });

  it.each([
    ['HTTP/1.0', write(['POST /a HTTP/1.0', 'Host: x', 'Content-Length: 2'], '{}')],
    ['a length with a leading zero', post('02', '{}')],
    ['a POST without a length', write(['POST /a HTTP/1.1', 'Host: x'])],
  ])('prepareHead does not store a head with %s', async (_name, bytes) => {
    expect(await prepare(bytes)).toBeUndefined();
  });

  it('prepareHead does not store a head whose lines differ from the parsed headers', async () => {
    const raw = await parse(post(2, '{}'));
    const other = cutHead(post(2, '{}', ['A: b'])) ?? '';
    expect(prepareHead(other, raw)).toBeUndefined();
    const renamed = (cutHead(post(2)) ?? '').replace('Host: x', 'Host: y');
    expect(prepareHead(renamed, raw)).toBeUndefined();
  });
});
