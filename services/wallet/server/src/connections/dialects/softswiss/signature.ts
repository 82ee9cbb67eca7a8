// `X-REQUEST-SIGN`: an HMAC-SHA256 with the connection's token over the raw body, as lower-case hex digits.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import type { Authenticity, ProviderRequest, Secrets } from '../dialect.ts';

export const signatureHeader = 'x-request-sign';

const form = /^[0-9a-f]{64}$/;

/**
 * Signs a request of the wallet or of the provider. Converting the token to a key object first would not be
 * faster.
 */
export const signBody = (token: string, body: Uint8Array): string =>
  createHmac('sha256', token).update(body).digest('hex');

/**
 * Checks the signature over the raw bytes, so the order of the fields and the escapes of characters matter.
 */
export function checkSignature(request: ProviderRequest, secrets: readonly Secrets[]): Authenticity {
  const given = request.headers[signatureHeader];
  if (typeof given !== 'string' || !form.test(given)) return { kind: 'forged' };
  const bytes = Buffer.from(given, 'latin1');
  const isSigned = secrets.some(
    // An empty token is not accepted, because everybody can sign with it.
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
