// Checks the name and the expiry of a key, and the text of an imported key.
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { refuseField } from '../wire/refusals.ts';

const maxNameLength = 100;
const minKeyLength = 16;
const maxKeyLength = 128;
const maxLifeMs = 10 * 366 * 86_400_000;

/** Matches visible ASCII without spaces, because a key is sent in a header (decision 0005). */
const importedKeyForm = /^[\x21-\x7e]*$/;
/** Matches test keys. An imported key is live, so it must not look like a test key. */
const testKeyForm = /^ck_(?:pub_)?test_/;

export const KeyName = Type.String({ minLength: 1, maxLength: maxNameLength });
export const ImportedSecret = Type.String({
  minLength: minKeyLength,
  maxLength: maxKeyLength,
  description: 'Visible ASCII characters.',
});

export function checkKeyName(given: string): string {
  const name = given.trim();
  if (name !== '' && [...name].length <= maxNameLength && isPrintable(name)) return name;
  throw refuseField('name', `needs 1 to ${maxNameLength} printable characters.`);
}

export function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt === undefined) return;
  const lifeMs = expiresAt.getTime() - now.getTime();
  if (!(lifeMs > 0 && lifeMs <= maxLifeMs)) {
    throw refuseField('expires_at', 'must be in the future, within ten years.');
  }
}

export function checkImportedKey(secret: string): void {
  const { length } = secret;
  if (length < minKeyLength || length > maxKeyLength || !importedKeyForm.test(secret)) {
    throw refuseField('api_key', `must have ${minKeyLength} to ${maxKeyLength} visible ASCII characters.`);
  }
  if (testKeyForm.test(secret)) {
    throw refuseField('api_key', 'must not begin like a test key, because an imported key is live.');
  }
}
