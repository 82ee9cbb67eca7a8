// Signatures of callbacks and of their answers: `t=<unix>,v1=<hex>` over the raw bytes.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';

/**
 * The largest accepted difference between the time in a signature and the current time. A captured request
 * can be replayed during this time.
 */
export const toleranceSeconds = 300;

const form = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

export type SignatureFault = 'signature_invalid' | 'timestamp_out_of_range';

const makeMac = (key: Buffer, lead: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(lead, 'utf8').update(body).digest();

/** Signs method, path (without the query) and body of a request. */
export const signRequest = (
  key: Buffer,
  request: { unix: number; method: string; path: string; body: Uint8Array },
): string => {
  const { unix, method, path, body } = request;
  return `t=${unix},v1=${makeMac(key, `${unix}.${method}.${path}.`, body).toString('hex')}`;
};

/** Signs status and body of an answer. */
export const signAnswer = (
  key: Buffer,
  answer: { unix: number; status: number; body: Uint8Array },
): string => {
  const { unix, status, body } = answer;
  return `t=${unix},v1=${makeMac(key, `${unix}.${status}.`, body).toString('hex')}`;
};

/** Returns the key with which the request was signed, or the fault of the signature. */
export function verifyRequest<Keys extends { readonly sign: Buffer }>(
  keys: readonly Keys[],
  request: {
    signature: unknown;
    method: string;
    path: string;
    body: Uint8Array;
    nowSeconds: number;
  },
): { keys: Keys } | { fault: SignatureFault } {
  const { signature, method, path, body } = request;
  const [, time, mac] = (typeof signature === 'string' && form.exec(signature)) || [];
  if (time === undefined || mac === undefined) return { fault: 'signature_invalid' };
  const given = Buffer.from(mac, 'hex');
  const lead = `${time}.${method}.${path}.`;
  const used = keys.find((each) => equalsInConstantTime(makeMac(each.sign, lead, body), given));
  if (!used) return { fault: 'signature_invalid' };
  // The time is checked only after the signature is found valid, so that a forger learns nothing about the
  // clock.
  return isTimely(Number(time), request.nowSeconds) ? { keys: used } : { fault: 'timestamp_out_of_range' };
}

export const isTimely = (unix: number, nowSeconds: number): boolean =>
  Math.abs(nowSeconds - unix) <= toleranceSeconds;
