// Creates secrets with a prefix, hashes them for look-up, compares them in constant time, and encrypts them
// at rest.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The master key of a service. A separate key is derived from it for each purpose. */
export interface MasterKey {
  readonly derive: (purpose: string) => Buffer;
}

const sealVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Parses a master key: 32 bytes in base64 or hex. Throws for any other text. */
export function parseMasterKey(text: string): MasterKey {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (bytes.length !== 32) throw new Error('must be 32 bytes, as base64 or as 64 hex digits');
  const derived = new Map<string, Buffer>();
  return {
    derive: (purpose) => {
      const known = derived.get(purpose);
      if (known) return known;
      const info = `counterfoil/v1/${purpose}`;
      const key = Buffer.from(hkdfSync('sha256', bytes, '', info, 32));
      derived.set(purpose, key);
      return key;
    },
  };
}

/** Makes a secret such as `ck_live_…` with 256 random bits, safe in URLs and headers. */
export function makeSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * Returns the hash under which a secret is stored and looked up. The hash needs the master key. A thief who
 * has only the table therefore cannot find a secret by hashing guesses. This also protects the short keys
 * that sellers choose themselves.
 */
export function hashSecret(masterKey: MasterKey, secret: string): Buffer {
  return createHmac('sha256', masterKey.derive('lookup')).update(secret, 'utf8').digest();
}

export function equalsInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Encrypts a text with the master key. `context` binds the result to its row, so the result cannot be opened
 * in another row.
 */
export function seal(masterKey: MasterKey, input: { plain: string; context: string }): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', masterKey.derive('seal'), nonce);
  cipher.setAAD(Buffer.from(input.context, 'utf8'));
  const sealed = Buffer.concat([cipher.update(input.plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([sealVersion]), nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts a sealed text. Throws if the bytes were changed, moved to another row, or sealed with a different
 * key.
 */
export function unseal(masterKey: MasterKey, input: { sealed: Buffer; context: string }): string {
  const { sealed } = input;
  if (sealed[0] !== sealVersion) throw new Error('sealed in an unknown way');
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', masterKey.derive('seal'), nonce);
  decipher.setAAD(Buffer.from(input.context, 'utf8'));
  decipher.setAuthTag(tag);
  const body = sealed.subarray(1 + nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
