// Signs, encrypts and verifies callbacks and their answers with keys derived from a package's AES key.
import { type Bytes, fromHex, joinBytes, toBytes, toHex } from '../../sdk-shared/src/bytes.ts';
import { CallbackError } from './callback-error.ts';
import { type CallbackKeys, deriveKeys } from './callback-keys.ts';
import { decrypt, encrypt } from './jwe.ts';

/** The allowed clock difference. A recorded callback can be replayed within this time. */
const toleranceSeconds = 300;

export interface CallbackSecurityOptions {
  /** The AES key: 32 bytes in base64. During a rotation, pass the new key and then the previous key. */
  readonly aesKey: string | readonly string[];
  readonly now?: () => Date;
}

export interface CallbackRequest {
  readonly method: string;
  /** The path of the request. A query string in the path is ignored. */
  readonly path: string;
  /** The bytes of the body as sent or received. */
  readonly body: string | Uint8Array;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
}

export type CallbackSecurity = ReturnType<typeof createCallbackSecurity>;

/**
 * Creates functions that sign and encrypt with the first key, and verify and decrypt with any of the keys.
 */
export function createCallbackSecurity({ aesKey, now = () => new Date() }: CallbackSecurityOptions) {
  const given = [aesKey].flat();
  if (given.length === 0) throw new TypeError('An AES key is needed.');
  const keys = Promise.all(given.map(deriveKeys));
  // Each call awaits `keys` and reports the error. Without this handler, the error would also be an unhandled
  // rejection.
  keys.catch(() => {});
  const unix = () => Math.floor(now().getTime() / 1000);
  const sign = async (lead: string, body: string | Uint8Array) => {
    const [first] = await keys;
    const t = unix();
    return `t=${t},v1=${toHex(await makeMac(first as CallbackKeys, `${t}.${lead}.`, body))}`;
  };
  const verify = async (signature: unknown, lead: string, body: string | Uint8Array) =>
    verifySignature(await keys, { signature, lead, body, unix: unix() });
  return {
    /** Returns the `X-Signature` header of a request. */
    signRequest: (request: CallbackRequest) => sign(leadOf(request), request.body),
    /**
     * Verifies a request. Throws a `CallbackError` if the signature does not match, or if its time differs
     * from the clock by more than 300 s.
     */
    verifyRequest: (request: CallbackRequest & { readonly signature: unknown }) =>
      verify(request.signature, leadOf(request), request.body),
    /** Returns the `X-Signature` header of an answer. */
    signAnswer: (answer: CallbackAnswer) => sign(String(answer.status), answer.body),
    verifyAnswer: (answer: CallbackAnswer & { readonly signature: unknown }) =>
      verify(answer.signature, String(answer.status), answer.body),
    /**
     * Encrypts a body or an answer, together with the current time, as a JWE of the type `application/jose`.
     */
    encryptBody: async (payload: object) => {
      const [first] = await keys;
      const text = JSON.stringify({ ...payload, iat: unix() });
      return await encrypt((first as CallbackKeys).encrypt, text);
    },
    /**
     * Decrypts a body and returns the payload. Throws a `CallbackError` if none of the keys decrypts the
     * body, if the payload is not a JSON object, or if its time differs from the clock by more than 300 s.
     */
    decryptBody: async (jwe: string | Uint8Array) => readPayload(await keys, jwe, unix()),
  };
}

const leadOf = ({ method, path }: CallbackRequest) => `${method}.${path.split('?', 1)[0]}`;

const makeMac = async (keys: CallbackKeys, lead: string, body: string | Uint8Array) =>
  new Uint8Array(await crypto.subtle.sign('HMAC', keys.sign, joinBytes(toBytes(lead), toBytes(body))));

const form = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

async function verifySignature(
  keys: readonly CallbackKeys[],
  given: { signature: unknown; lead: string; body: string | Uint8Array; unix: number },
): Promise<void> {
  const [, t = '', v1 = ''] = form.exec(String(given.signature)) ?? [];
  const signed = joinBytes(toBytes(`${t}.${given.lead}.`), toBytes(given.body));
  if (t === '' || !(await isUnderOne(keys, fromHex(v1), signed))) {
    throw new CallbackError('signature_invalid', 'The signature does not match the key.');
  }
  checkTime(Number(t), given.unix);
}

/** Whether the signature was made with one of the keys. `crypto.subtle.verify` compares in constant time. */
async function isUnderOne(keys: readonly CallbackKeys[], mac: Bytes, signed: Bytes) {
  for (const { sign } of keys) {
    if (await crypto.subtle.verify('HMAC', sign, mac, signed)) return true;
  }
  return false;
}

async function readPayload(
  keys: readonly CallbackKeys[],
  jwe: string | Uint8Array,
  unix: number,
): Promise<Record<string, unknown>> {
  const text = typeof jwe === 'string' ? jwe : new TextDecoder().decode(jwe);
  for (const key of keys) {
    const plain = await decrypt(key.encrypt, text);
    if (plain === undefined) continue;
    const payload = parse(plain);
    checkTime(typeof payload.iat === 'number' ? payload.iat : Number.NaN, unix);
    return payload;
  }
  throw new CallbackError('signature_invalid', 'The text is not encrypted with the key.');
}

function parse(plain: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(plain);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    if (isObject) return value as Record<string, unknown>;
  } catch {
    // Text that is not JSON gets the same error as JSON that is not an object.
  }
  throw new CallbackError('not_json', 'The decrypted text is not a JSON object.');
}

function checkTime(sent: number, unix: number): void {
  if (Math.abs(unix - sent) <= toleranceSeconds) return;
  throw new CallbackError('timestamp_out_of_range', 'The timestamp is too old or in the future.');
}
