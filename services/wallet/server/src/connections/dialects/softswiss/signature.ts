// `X-REQUEST-SIGN`: the lower-case hex HMAC-SHA256 of the raw body under the connection's token.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import type { Authenticity, ProviderRequest, Secrets } from '../dialect.ts';

export const signatureHeader = 'x-request-sign';

const form = /^[0-9a-f]{64}$/;

/** Signs a request of either direction. Importing the token as a key first would not make this faster. */
export const signBody = (token: string, body: Uint8Array): string =>
  createHmac('sha256', token).update(body).digest('hex');

/** The bytes are signed, so the order of fields and the escapes of characters count. */
export function checkSignature(request: ProviderRequest, secrets: readonly Secrets[]): Authenticity {
  const given = request.headers[signatureHeader];
  if (typeof given !== 'string' || !form.test(given)) return { kind: 'forged' };
  const bytes = Buffer.from(given, 'latin1');
  const isSigned = secrets.some(
    // Everyone can sign with an empty token.
    ({ token }) => token && equalsInConstantTime(Buffer.from(signBody(token, request.body), 'latin1'), bytes),
  );
  return { kind: isSigned ? 'authentic' : 'forged' };
}

/** A request as the provider sends it, for tests and for the stand-in provider. */
export function signWalletRequest(token: string, path: string, content: object | string): ProviderRequest {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content), 'utf8');
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(token, body) };
  return { method: 'POST', path, query: '', headers, body };
}
