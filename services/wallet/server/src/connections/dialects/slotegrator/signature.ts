// X-Sign: an HMAC-SHA1 with the merchant key over the parameters and three headers, sorted by name.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Authenticity, ProviderRequest, Secrets } from '../dialect.ts';
import { encodePair, flatten, type Params, readBody } from './params.ts';

/** The operator's account at Slotegrator. Both sides sign their requests with the same key. */
export interface Merchant {
  readonly merchantId: string;
  readonly merchantKey: string;
}

/** The parts of a signature that differ for each request. */
export interface Stamp {
  /** The time in seconds since 1970. */
  readonly timestamp: number;
  readonly nonce: string;
}

const maxSkewMs = 300_000;
const timestampForm = /^\d{1,11}$/;
const nonceForm = /^[\x21-\x7e]{1,128}$/;
const signForm = /^[0-9a-f]{40}$/;
const none: Params = new Map();

export function authenticate(
  request: ProviderRequest,
  secrets: readonly Secrets[],
  nowMs: number,
): Authenticity {
  const merchantId = readHeader(request, 'x-merchant-id', nonceForm);
  const timestamp = readHeader(request, 'x-timestamp', timestampForm);
  const nonce = readHeader(request, 'x-nonce', nonceForm);
  const sign = readHeader(request, 'x-sign', signForm);
  if (!merchantId || !timestamp || !nonce || !sign) return { kind: 'forged' };
  // As in PHP, a malformed body has no parameters. The parser refuses the body afterwards.
  const text = writeSignedText(readBody(request)?.params ?? none, { merchantId, timestamp, nonce });
  const given = Buffer.from(sign, 'hex');
  const isSigned = secrets.some(
    ({ merchant_id: id, merchant_key: key }) =>
      id === merchantId && !!key && timingSafeEqual(given, createHmac('sha1', key).update(text).digest()),
  );
  if (!isSigned) return { kind: 'forged' };
  const skewMs = Math.abs(nowMs - Number(timestamp) * 1000);
  return skewMs > maxSkewMs ? { kind: 'stale' } : { kind: 'authentic', nonce };
}

function readHeader({ headers }: ProviderRequest, name: string, form: RegExp): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && form.test(value) ? value : undefined;
}

interface SignedHeaders {
  readonly merchantId: string;
  readonly timestamp: string;
  readonly nonce: string;
}

/**
 * Writes the signed text as PHP's `ksort` and `http_build_query` write it. Parameters are sorted by the part
 * of their name before the first bracket. Parameters with the same first part stay in their order.
 */
function writeSignedText(params: Params, { merchantId, timestamp, nonce }: SignedHeaders): string {
  const pairs = [
    { first: 'X-Merchant-Id', pair: encodePair('X-Merchant-Id', merchantId) },
    { first: 'X-Nonce', pair: encodePair('X-Nonce', nonce) },
    { first: 'X-Timestamp', pair: encodePair('X-Timestamp', timestamp) },
  ];
  for (const [name, value] of params) {
    const bracket = name.indexOf('[');
    const first = bracket < 0 ? name : name.slice(0, bracket);
    if (!headerNames.has(first)) pairs.push({ first, pair: encodePair(name, value) });
  }
  pairs.sort((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)));
  let text = '';
  for (const { pair } of pairs) text += text === '' ? pair : `&${pair}`;
  return text;
}

/**
 * The names of the signed headers. If a parameter has the name of a header, the signed text contains the
 * header instead of the parameter.
 */
const headerNames: ReadonlySet<string> = new Set(['X-Merchant-Id', 'X-Nonce', 'X-Timestamp']);

export function signParams(
  { merchantId, merchantKey }: Merchant,
  params: Params,
  { timestamp, nonce }: Stamp,
): Record<string, string> {
  const text = writeSignedText(params, { merchantId, timestamp: String(timestamp), nonce });
  return {
    'x-merchant-id': merchantId,
    'x-timestamp': String(timestamp),
    'x-nonce': nonce,
    'x-sign': createHmac('sha1', merchantKey).update(text).digest('hex'),
  };
}

export const encodeForm = (params: Params): string =>
  Array.from(params, ([name, value]) => encodePair(name, value)).join('&');

/** A request as Slotegrator sends it, for the tests and the stand-in provider. */
export function signWalletRequest(
  merchant: Merchant,
  fields: object,
  stamp: Stamp,
  format: 'form' | 'json' = 'form',
): ProviderRequest {
  const params = flatten(fields) ?? none;
  const type = format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = { 'content-type': type, ...signParams(merchant, params, stamp) };
  const body = Buffer.from(format === 'json' ? JSON.stringify(fields) : encodeForm(params));
  return { method: 'POST', path: '', query: '', headers, body };
}
