// The rules for new passwords: 10 to 200 printable characters, not the e-mail of the person, and none of the
// most common passwords.
import { isPrintable } from '@counterfoil/kit/http/text';

const minLength = 10;
const maxLength = 200;

/** The most common passwords of at least 10 characters, which an attacker tries first. */
const commonest = new Set([
  '0123456789',
  '0987654321',
  '1234567890',
  '12345678910',
  '123456789a',
  '1q2w3e4r5t',
  '1qaz2wsx3edc',
  'a123456789',
  'abcdefghij',
  'administrator',
  'changeme123',
  'iloveyou123',
  'letmein123',
  'password12',
  'password123',
  'password1234',
  'q1w2e3r4t5',
  'qwerty12345',
  'qwerty123456',
  'qwertyuiop',
  'welcome123',
]);

/**
 * Normalises a password. Keyboards may send different characters for the same password, and RFC 8265 requires
 * one form.
 */
export const normalisePassword = (password: string): string => password.normalize('NFKC');

/**
 * Returns the reason why a new password is refused, as the end of a sentence about the password. Returns
 * undefined if the password is accepted.
 */
export function findPasswordProblem(password: string, email: string): string | undefined {
  if (!isPrintable(password)) return 'has characters that are not allowed.';
  const normal = normalisePassword(password);
  const characters = [...normal];
  if (characters.length < minLength) return `must have at least ${minLength} characters.`;
  if (characters.length > maxLength) return `must have at most ${maxLength} characters.`;
  const lowercase = normal.toLowerCase();
  if (lowercase === email || lowercase === email.split('@')[0]) return 'must not be your e-mail.';
  const isRepeated = new Set(characters).size === 1;
  return commonest.has(lowercase) || isRepeated ? 'is one of the most common passwords.' : undefined;
}
