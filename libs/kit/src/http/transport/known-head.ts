// The head of a request that node:http has parsed. The heads of later requests are compared with it byte by
// byte, so that the same head is parsed only once per connection.
import type { IncomingMessage } from 'node:http';

/** A head whose bytes may differ from a later head only in the digits of `Content-Length`. */
export interface KnownHead {
  readonly bytes: Buffer;
  /** The position of the digits of `Content-Length` in the head; undefined for a GET, which has no digits. */
  readonly digits: { readonly from: number; readonly to: number } | undefined;
}

const headEnd = '\r\n\r\n';
const maxHeadBytes = 4096;
/** Lines of printable ASCII that end in CRLF and do not start with a blank, and then one empty line. */
const plainLines = /^(?:[!-~][\t -~]*\r\n)+\r\n$/;
const maxDigits = 5;

/**
 * Returns the head at the start of these bytes. Returns undefined if the head is long or incomplete, or if it
 * contains anything but lines of printable ASCII. So no two parsers can disagree about the end of the head.
 */
export function cutHead(bytes: Buffer): string | undefined {
  const end = bytes.subarray(0, maxHeadBytes).indexOf(headEnd);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end + headEnd.length);
  return plainLines.test(head) ? head : undefined;
}

type Parsed = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>;

/**
 * Returns the length of the whole message that starts with this head, as node:http understood the message.
 * Returns undefined if the message has no fixed length.
 */
export function measureMessage(head: string, { headers }: Parsed): number | undefined {
  if (headers['transfer-encoding'] !== undefined || headers.upgrade !== undefined) return undefined;
  const length = headers['content-length'] ?? '0';
  return /^\d{1,9}$/.test(length) ? head.length + Number(length) : undefined;
}

/**
 * Prepares the comparison with later heads. Returns undefined if the lines of the head are not exactly the
 * headers that node:http has read.
 */
export function prepareHead(head: string, parsed: Parsed): KnownHead | undefined {
  const { method, url, httpVersion, rawHeaders } = parsed;
  const [first, ...lines] = head.slice(0, -headEnd.length).split('\r\n');
  if (first !== `${method} ${url} HTTP/1.1` || httpVersion !== '1.1') return undefined;
  if (lines.length * 2 !== rawHeaders.length) return undefined;
  let at = first.length + 2;
  let digits: { from: number; to: number } | undefined;
  for (const [i, line] of lines.entries()) {
    const name = rawHeaders[2 * i] as string;
    const value = rawHeaders[2 * i + 1] as string;
    if (!line.startsWith(`${name}:`) || line.slice(name.length + 1).trim() !== value) return undefined;
    if (name.toLowerCase() === 'content-length') {
      if (digits || !/^(?:0|[1-9]\d{0,4})$/.test(value)) return undefined;
      const from = at + line.indexOf(value, name.length + 1);
      digits = { from, to: from + value.length };
    }
    at += line.length + 2;
  }
  if (!digits && method !== 'GET') return undefined;
  // A connection stores its heads for hours. A buffer from Node's pool would retain 8 KiB with each head.
  const bytes = Buffer.allocUnsafeSlow(head.length);
  bytes.write(head, 'latin1');
  return { bytes, digits };
}

/**
 * Compares bytes with a known head. If the bytes are exactly one message with this head and a complete body,
 * returns the position of the body. Otherwise returns -1.
 */
export function findBody({ bytes: head, digits }: KnownHead, bytes: Buffer): number {
  const digitsAt = digits?.from ?? head.length;
  let at = digitsAt;
  if (bytes.length < at || head.compare(bytes, 0, at, 0, at) !== 0) return -1;
  if (!digits) return bytes.length === at ? at : -1;
  let length = 0;
  for (;;) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    length = length * 10 + digit;
    at++;
    if (at - digitsAt > maxDigits) return -1;
  }
  if (at === digitsAt || (bytes[digitsAt] === 48 && at - digitsAt > 1)) return -1;
  const bodyAt = at + head.length - digits.to;
  if (bytes.length !== bodyAt + length || head.compare(bytes, at, bodyAt, digits.to) !== 0) return -1;
  return bodyAt;
}
