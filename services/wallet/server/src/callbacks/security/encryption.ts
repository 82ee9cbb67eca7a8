// Encrypts and decrypts callbacks and answers as compact JWE (`dir` with `A256GCM`). The field `iat` contains
// the time.
import { CompactEncrypt, compactDecrypt } from 'jose';

export const joseType = 'application/jose';

export async function encryptText(key: Buffer, text: string): Promise<string> {
  return await new CompactEncrypt(Buffer.from(text, 'utf8'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}

/** The plain text and the key that decrypted it; undefined if no key decrypts the body. */
export async function decryptBody<Keys extends { readonly encrypt: Buffer }>(
  keys: readonly Keys[],
  body: Uint8Array,
): Promise<{ keys: Keys; plain: Buffer } | undefined> {
  const jwe = Buffer.from(body).toString('latin1');
  if (!isCanonical(jwe)) return undefined;
  for (const each of keys) {
    try {
      const { plaintext } = await compactDecrypt(jwe, each.encrypt, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return { keys: each, plain: Buffer.from(plaintext) };
    } catch {
      // This key does not decrypt the text, so the loop continues with the next key.
    }
  }
  return undefined;
}

/**
 * Accepts canonical base64url only. Decoders ignore padding and unused bits. Without this check, several
 * texts would decode to the same JWE.
 */
const isCanonical = (jwe: string): boolean =>
  jwe.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
