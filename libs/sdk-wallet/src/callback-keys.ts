// Derives a signing key and an encryption key from a package's AES key (HKDF-SHA256, empty salt).
import { fromBase64, toBytes } from '../../sdk-shared/src/bytes.ts';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface CallbackKeys {
  readonly sign: Key;
  readonly encrypt: Key;
}

export async function deriveKeys(aesKey: string): Promise<CallbackKeys> {
  const bytes = fromBase64(aesKey);
  if (bytes?.byteLength !== 32) throw new TypeError('An AES key is base64 of 32 bytes.');
  const given = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const hkdf = (use: 'sign' | 'encrypt') => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: toBytes(`counterfoil/v1/${use}`),
  });
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 };
  const aes = { name: 'AES-GCM', length: 256 };
  const [sign, encrypt] = await Promise.all([
    crypto.subtle.deriveKey(hkdf('sign'), given, hmac, false, ['sign', 'verify']),
    crypto.subtle.deriveKey(hkdf('encrypt'), given, aes, false, ['encrypt', 'decrypt']),
  ]);
  return { sign, encrypt };
}
