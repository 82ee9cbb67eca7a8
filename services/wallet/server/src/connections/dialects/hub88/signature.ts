// `X-Hub88-Signature` (`X-Auth-Signature` of Caleta): Base64 of RSA-SHA256 (PKCS #1 v1.5) over the body.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Authenticity, ProviderRequest, Secrets } from '../dialect.ts';

export const findSignatureHeader = (profile: string | undefined): string =>
  profile === 'caleta' ? 'x-auth-signature' : 'x-hub88-signature';

/**
 * The maximum number of cached keys. It exceeds the number of connections that one process serves at a time.
 */
const maxKeys = 1000;

/**
 * Caches the imported key of each PEM. On Node 20, `verify` with 2048 bits takes 50 µs with an imported key
 * and 450 µs with a PEM. A text that is not an RSA key is cached too, so that later requests do not try to
 * import it again.
 */
export function createKeyCache(importKey: (pem: string) => KeyObject, most = maxKeys) {
  const keys = new Map<string, KeyObject | undefined>();
  return (pem: string): KeyObject | undefined => {
    const cached = keys.get(pem);
    if (cached || keys.has(pem)) return cached;
    const key = tryImport(importKey, pem);
    const [oldest] = keys.keys();
    if (keys.size >= most && oldest !== undefined) keys.delete(oldest);
    keys.set(pem, key);
    return key;
  };
}

function tryImport(importKey: (pem: string) => KeyObject, pem: string): KeyObject | undefined {
  try {
    const key = importKey(pem);
    // Only RSA keys are accepted. With a key of a different type, `verify` would use a different algorithm.
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}

const findPublicKey = createKeyCache((pem) => createPublicKey(pem));
const findPrivateKey = createKeyCache((pem) => createPrivateKey(pem));

/**
 * The form of a signature of up to 16,384 bits. `Buffer.from` would ignore characters that are not Base64.
 */
const form = /^[A-Za-z0-9+/]{4,2731}={0,2}$/;

/**
 * Checks the signature over the raw bytes, so the order of the fields and the escapes of characters matter.
 */
export function checkSignature(
  request: ProviderRequest,
  secrets: readonly Secrets[],
  _nowMs: number,
  profile: string | undefined,
): Authenticity {
  const given = request.headers[findSignatureHeader(profile)];
  if (typeof given !== 'string' || !form.test(given)) return { kind: 'forged' };
  const signature = Buffer.from(given, 'base64');
  let last: string | undefined;
  for (const { provider_public_key_pem: pem } of secrets) {
    // Each key is tried only once. A rotation of the wallet's own key does not change the provider's key, so
    // the old and the new secrets may have the same key of the provider.
    if (!pem || pem === last) continue;
    last = pem;
    const key = findPublicKey(pem);
    if (key && isSigned(request.body, key, signature)) return { kind: 'authentic' };
  }
  return { kind: 'forged' };
}

function isSigned(body: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify('sha256', body, key, signature);
  } catch {
    return false;
  }
}

/**
 * Signs a request of the wallet or of the provider. Returns undefined if the PEM is not an RSA private key.
 */
export function signBody(privateKeyPem: string, body: Uint8Array): string | undefined {
  const key = findPrivateKey(privateKeyPem);
  return key && sign('sha256', body, key).toString('base64');
}

/** A request as the provider sends it, for tests and for the stand-in provider. */
export function signWalletRequest(
  privateKeyPem: string,
  path: string,
  content: object | string,
  profile = '',
): ProviderRequest {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content), 'utf8');
  const signature = signBody(privateKeyPem, body);
  if (signature === undefined) throw new Error('the provider has no RSA private key');
  const headers = { 'content-type': 'application/json', [findSignatureHeader(profile)]: signature };
  return { method: 'POST', path, query: '', headers, body };
}
