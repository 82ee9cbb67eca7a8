// Checks the name and the expiry of a key, and the text of an imported key.
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';

const maxNameLength = 100;
const minKeyLength = 16;
const maxKeyLength = 128;
const maxLifeMs = 10 * 366 * 86_400_000;

/** It is sent in a header, so: visible ASCII without spaces (decision 0005). */
const importedKeyForm = /^[\x21-\x7e]*$/;
/** Only test keys may look like test keys, because people trust that these open no real data. */
const testKeyForm = /^ck_(?:pub_)?test_/;

export const KeyName = Type.String({ minLength: 1, maxLength: maxNameLength });
export const ImportedSecret = Type.String({
  minLength: minKeyLength,
  maxLength: maxKeyLength,
  description: 'Visible ASCII characters.',
});

const refuse = (field: string, sentence: string) =>
  fail('invalid_parameter', { errors: { [field]: [sentence] } });

export function checkKeyName(given: string): string {
  const name = given.trim();
  if (name !== '' && [...name].length <= maxNameLength && isPrintable(name)) return name;
  throw refuse('name', `needs 1 to ${maxNameLength} printable characters.`);
}

export function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt === undefined) return;
  const lifeMs = expiresAt.getTime() - now.getTime();
  if (!(lifeMs > 0 && lifeMs <= maxLifeMs)) {
    throw refuse('expires_at', 'must be a time to come, within ten years.');
  }
}

export function checkImportedKey(secret: string): void {
  const { length } = secret;
  if (length < minKeyLength || length > maxKeyLength || !importedKeyForm.test(secret)) {
    throw refuse(
      'api_key',
      `must have ${minKeyLength} to ${maxKeyLength} visible ASCII characters.`,
    );
  }
  if (testKeyForm.test(secret)) {
    throw refuse('api_key', 'must not begin like a test key, for it opens what is real.');
  }
}
