// Computes the current code from the secret that a panel shows, like an authenticator app.
import { totpCode, totpStepAt } from '@counterfoil/identity/second-factor/totp';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The authenticator's code at the given time. The services accept each code only once. */
export const readCode = (secret: string, at: Date): string =>
  totpCode(fromBase32(secret.trim()), totpStepAt(at));
