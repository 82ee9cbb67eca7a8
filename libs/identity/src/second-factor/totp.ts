// Time-based one-time codes (RFC 6238): SHA-1, six digits, steps of 30 seconds, one step of drift.
import { createHmac, randomBytes } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';

const stepMs = 30_000n;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Makes a secret of 160 bits, which RFC 4226 recommends for SHA-1. */
export const makeTotpSecret = (): Buffer => randomBytes(20);

/** Encodes bytes in base32 (RFC 4648) without padding, because authenticator apps do not accept padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let buffered = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffered = ((buffered << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32Alphabet[(buffered >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + base32Alphabet[(buffered << (5 - bits)) & 31];
}

export const totpStepAt = (time: Date): bigint => BigInt(time.getTime()) / stepMs;

/** Computes the code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Returns the time step for which the code is valid. Only the previous, the current and the next step are
 * tried. A step is accepted only if it is later than the last used step.
 */
export function findTotpStep(
  secret: Uint8Array,
  given: { code: string; time: Date; after: bigint | null },
): bigint | undefined {
  const now = totpStepAt(given.time);
  const code = Buffer.from(given.code);
  return [now - 1n, now, now + 1n].find(
    (step) =>
      equalsInConstantTime(Buffer.from(totpCode(secret, step)), code) &&
      (given.after === null || step > given.after),
  );
}

/** The URI that the QR code contains. */
export function totpUri(options: { secret: Uint8Array; issuer: string; account: string }): string {
  const issuer = encodeURIComponent(options.issuer);
  const label = `${issuer}:${encodeURIComponent(options.account)}`;
  const parameters = `secret=${toBase32(options.secret)}&issuer=${issuer}`;
  return `otpauth://totp/${label}?${parameters}&algorithm=SHA1&digits=6&period=30`;
}
