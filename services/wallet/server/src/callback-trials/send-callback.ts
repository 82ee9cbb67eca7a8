// Sends a callback to this service exactly as the provider would, and decrypts and verifies the answer.
import type { App } from '@counterfoil/kit/http/app';
import type { LightMyRequestResponse } from 'fastify';
import { deriveCallbackKeys } from '../callbacks/security/callback-keys.ts';
import { decryptBody, encryptText, joseType } from '../callbacks/security/encryption.ts';
import { signAnswer, signRequest } from '../callbacks/security/signature.ts';
import type { CallbackAccess } from '../packages/credentials/callback-access.ts';

export const callbackPath = '/api/v1/game/callback';

/**
 * Faults that a trial can simulate. The service must refuse a wrong secret. If the package signs or encrypts
 * callbacks, the service must also refuse a wrong, old or missing signature or encryption.
 */
export const faults = ['none', 'wrong_secret', 'no_seal', 'wrong_seal', 'old_seal'] as const;
export type Fault = (typeof faults)[number];

export interface SentCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AnsweredCallback {
  readonly status: number;
  /** The body of the answer, decrypted if the answer was encrypted. */
  readonly body: unknown;
  /** Whether the answer verifies with the key of the package; null if it is neither signed nor encrypted. */
  readonly sealed: boolean | null;
}

const oldSeconds = 3600;

export async function sendCallback(
  app: App,
  given: {
    access: CallbackAccess;
    body: Readonly<Record<string, unknown>>;
    fault: Fault;
    address: string;
    now: Date;
  },
): Promise<{ sent: SentCallback; answer: AnsweredCallback }> {
  const sent = await seal(given);
  const reply = await app.inject({
    method: 'POST',
    url: callbackPath,
    remoteAddress: given.address,
    headers: sent.headers,
    payload: sent.body,
  });
  return { sent, answer: await openAnswer(given.access, reply) };
}

async function seal(given: Parameters<typeof sendCallback>[1]): Promise<SentCallback> {
  const { access, fault, now } = given;
  const unix = Math.floor(now.getTime() / 1000) - (fault === 'old_seal' ? oldSeconds : 0);
  const headers = {
    'content-type': 'application/json',
    'x-uid': access.uid,
    'x-api-key': access.apiKey,
    'x-api-secret': fault === 'wrong_secret' ? `${access.apiSecret.slice(0, 4)}wrong` : access.apiSecret,
  };
  const plain = JSON.stringify(given.body);
  if (access.aesKey === undefined || fault === 'no_seal') return { headers, body: plain };
  const right = deriveCallbackKeys(access.aesKey);
  const other = deriveCallbackKeys(Buffer.alloc(32, 1).toString('base64'));
  const keys = fault === 'wrong_seal' ? other : right;
  if (access.security === 'signed') {
    const body = Buffer.from(plain, 'utf8');
    const request = { unix, method: 'POST', path: callbackPath, body };
    return { headers: { ...headers, 'x-signature': signRequest(keys.sign, request) }, body: plain };
  }
  const timed = JSON.stringify({ ...given.body, iat: unix });
  const body = await encryptText(keys.encrypt, timed);
  return { headers: { ...headers, 'content-type': joseType }, body };
}

async function openAnswer(access: CallbackAccess, reply: LightMyRequestResponse): Promise<AnsweredCallback> {
  const { statusCode: status, headers } = reply;
  if (access.aesKey === undefined) return { status, body: JSON.parse(reply.body), sealed: null };
  const keys = deriveCallbackKeys(access.aesKey);
  if (String(headers['content-type']).startsWith(joseType)) {
    const opened = await decryptBody([keys], Buffer.from(reply.body));
    const body = opened ? JSON.parse(opened.plain.toString('utf8')) : reply.body;
    return { status, body, sealed: opened !== undefined };
  }
  const signature = String(headers['x-signature'] ?? '');
  const unix = Number(/^t=(\d+),/.exec(signature)?.[1] ?? 0);
  const wanted = signAnswer(keys.sign, { unix, status, body: Buffer.from(reply.body) });
  return { status, body: JSON.parse(reply.body), sealed: signature === wanted };
}
