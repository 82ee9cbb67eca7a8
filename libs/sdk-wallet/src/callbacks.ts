// Callbacks, from either side: signed or encrypted under the keys that a package's AES key gives.
import { type Bytes, fromHex, joinBytes, toBytes, toHex } from '../../sdk-shared/src/bytes.ts';
import { CallbackError } from './callback-error.ts';
import { type CallbackKeys, deriveKeys } from './callback-keys.ts';
import { decrypt, encrypt } from './jwe.ts';

/** How far the other side's clock may be off, and how long a recorded one can be sent again. */
const toleranceSeconds = 300;

export interface CallbackSecurityOptions {
  /** Base64 of 32 bytes; while keys are rotated, the new one and then the one before. */
  readonly aesKey: string | readonly string[];
  readonly now?: () => Date;
}

export interface CallbackRequest {
  readonly method: string;
  /** As sent; a query does not count. */
  readonly path: string;
  /** Byte for byte as sent. */
  readonly body: string | Uint8Array;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
}

export type CallbackSecurity = ReturnType<typeof createCallbackSecurity>;

/** Writing is done with the first key; what is read may be under any of them. */
export function createCallbackSecurity({
  aesKey,
  now = () => new Date(),
}: CallbackSecurityOptions) {
  const given = [aesKey].flat();
  if (given.length === 0) throw new TypeError('An AES key is needed.');
  const keys = Promise.all(given.map(deriveKeys));
  // Whoever calls first is told; nobody else needs to be.
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
    /** The `X-Signature` of a request. */
    signRequest: (request: CallbackRequest) => sign(leadOf(request), request.body),
    /** Throws a `CallbackError` for a signature that does not fit, or is too old. */
    verifyRequest: (request: CallbackRequest & { readonly signature: unknown }) =>
      verify(request.signature, leadOf(request), request.body),
    /** The `X-Signature` of an answer. */
    signAnswer: (answer: CallbackAnswer) => sign(String(answer.status), answer.body),
    verifyAnswer: (answer: CallbackAnswer & { readonly signature: unknown }) =>
      verify(answer.signature, String(answer.status), answer.body),
    /** A body or an answer as a JWE, to be sent as `application/jose`; the time is put in. */
    encryptBody: async (payload: object) => {
      const [first] = await keys;
      const text = JSON.stringify({ ...payload, iat: unix() });
      return await encrypt((first as CallbackKeys).encrypt, text);
    },
    /** What was encrypted; throws a `CallbackError` for what is not under one of the keys. */
    decryptBody: async (jwe: string | Uint8Array) => readPayload(await keys, jwe, unix()),
  };
}

const leadOf = ({ method, path }: CallbackRequest) => `${method}.${path.split('?', 1)[0]}`;

const makeMac = async (keys: CallbackKeys, lead: string, body: string | Uint8Array) =>
  new Uint8Array(
    await crypto.subtle.sign('HMAC', keys.sign, joinBytes(toBytes(lead), toBytes(body))),
  );

const form = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

async function verifySignature(
  keys: readonly CallbackKeys[],
  given: { signature: unknown; lead: string; body: string | Uint8Array; unix: number },
): Promise<void> {
  const [, t = '', v1 = ''] = form.exec(String(given.signature)) ?? [];
  const signed = joinBytes(toBytes(`${t}.${given.lead}.`), toBytes(given.body));
  if (t === '' || !(await isUnderOne(keys, fromHex(v1), signed))) {
    throw new CallbackError('signature_invalid', 'The signature does not fit the key.');
  }
  checkTime(Number(t), given.unix);
}

/** Compared by the run-time, in a time that does not depend on where they differ. */
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
  throw new CallbackError('signature_invalid', 'It is not encrypted under the key.');
}

function parse(plain: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(plain);
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>;
  } catch {
    // Told below, like any other text that is no object.
  }
  throw new CallbackError('not_json', 'What was encrypted is no JSON object.');
}

function checkTime(sent: number, unix: number): void {
  if (Math.abs(unix - sent) <= toleranceSeconds) return;
  throw new CallbackError('timestamp_out_of_range', 'It was sent too long ago, or is yet to be.');
}
