// Purchase codes: generation, normalisation, the hash for lookups, and the sealed copy.
import { randomUUID } from 'node:crypto';
import { createKeyedHash } from '@counterfoil/kit/crypto/keyed-hash';
import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import { isPrintable } from '@counterfoil/kit/http/text';

export const maxCodeLength = 128;

export const makeCode = (): string => randomUUID();

/** The trimmed code, or undefined if the value cannot be a code. */
export function parseCode(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const code = given.trim();
  const length = [...code].length;
  return length >= 1 && length <= maxCodeLength && isPrintable(code) ? code : undefined;
}

/**
 * Returns the same text for all codes that differ only in letter case. Some letters have two lower-case
 * forms, such as σ and ς. The conversion to upper case makes these forms equal.
 */
export const normaliseCode = (code: string): string =>
  plainText.test(code) ? code.toLowerCase() : code.toLowerCase().toUpperCase().toLowerCase();

/** Texts of printable ASCII characters, which have only one lower-case form. */
const plainText = /^[ -~]*$/;

/**
 * Creates the hash function for purchase codes. The function ignores letter case and returns hexadecimal
 * text. Its secret key differs from the secret key with which API keys are hashed.
 */
export function createCodeHasher(masterKey: MasterKey): (code: string) => string {
  const keyed = createKeyedHash(masterKey.derive('purchase-code'));
  return (code) => keyed(normaliseCode(code));
}

const hashers = new WeakMap<MasterKey, (code: string) => string>();

export function hashCode(masterKey: MasterKey, code: string): Buffer {
  const hasher = hashers.get(masterKey) ?? createCodeHasher(masterKey);
  hashers.set(masterKey, hasher);
  return Buffer.from(hasher(code), 'hex');
}

const plainCharacters = /^[\x20-\x7e]{4}$/;

/** Returns the last four characters of a code, but never more than half of the code. */
export function makeCodeHint(code: string): string {
  const last = code.slice(-4);
  // The common case, which needs no split into characters: a long code that ends with ASCII characters.
  if (code.length >= 16 && plainCharacters.test(last)) return `…${last}`;
  const letters = [...code];
  const shown = Math.min(4, Math.floor(letters.length / 2));
  return `…${letters.slice(letters.length - shown).join('')}`;
}

/**
 * The first byte of a sealed code. It says whether all letters of the code are lower case, which is true for
 * most codes. For these codes, validation need not unseal the stored code: it returns the code of the
 * request in lower case.
 */
const mark = { lowerCase: 0x11, mixedCase: 0x10 } as const;
const markOf = (code: string) => (code === normaliseCode(code) ? mark.lowerCase : mark.mixedCase);

const contextOf = (codeHash: Buffer) => `purchase_code:${codeHash.toString('hex')}`;

export const sealCode = (masterKey: MasterKey, code: string, codeHash: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([markOf(code)]),
    seal(masterKey, { plain: code, context: contextOf(codeHash) }),
  ]);

/** The three forms in which a code is stored: its hash, its sealed text and its last characters. */
export type StoredCode = Readonly<ReturnType<typeof toStoredCode>>;

export const toStoredCode = (masterKey: MasterKey, code: string, hash = hashCode(masterKey, code)) => ({
  hash,
  sealed: sealCode(masterKey, code, hash),
  hint: makeCodeHint(code),
});

export const unsealCode = (masterKey: MasterKey, sealed: Buffer, codeHash: Buffer): string =>
  unseal(masterKey, { sealed: sealed.subarray(1), context: contextOf(codeHash) });

/**
 * Returns an SQL expression for the sealed copy of a code. The value is null if the code is in lower case.
 */
export const sealedIfMixedCase = (column: string): string =>
  `case get_byte(${column}, 0) when ${mark.lowerCase} then null else ${column} end`;

/** Returns the code in the letter case in which it was issued. */
export function restoreCode(
  masterKey: MasterKey,
  sent: { code: string; codeHash: string; sealedIfMixedCase: Buffer | undefined },
): string {
  if (!sent.sealedIfMixedCase) return normaliseCode(sent.code);
  return unsealCode(masterKey, sent.sealedIfMixedCase, Buffer.from(sent.codeHash, 'hex'));
}
