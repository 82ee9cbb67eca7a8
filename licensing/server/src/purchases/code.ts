// A purchase code: made, normalised, found by hash, shown again from its sealed copy.
import { createHmac, randomUUID } from 'node:crypto';
import { type MasterKey, seal, unseal } from '@counterfoil/kit/secrets';
import { isPrintable } from '@counterfoil/kit/text';

export const maxCodeLength = 128;

export const makeCode = (): string => randomUUID();

/** Trimmed; undefined where it cannot be a code at all. */
export function parseCode(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const code = given.trim();
  const length = [...code].length;
  return length >= 1 && length <= maxCodeLength && isPrintable(code) ? code : undefined;
}

/** Letter case does not count. Keyed, and apart from the look-up of API keys. */
export function hashCode(masterKey: MasterKey, code: string): Buffer {
  return createHmac('sha256', masterKey.derive('purchase-code'))
    .update(code.toLowerCase(), 'utf8')
    .digest();
}

export const makeCodeHint = (code: string): string => `…${[...code].slice(-4).join('')}`;

const contextOf = (codeHash: Buffer) => `purchase_code:${codeHash.toString('hex')}`;

export const sealCode = (masterKey: MasterKey, code: string, codeHash: Buffer): Buffer =>
  seal(masterKey, { plain: code, context: contextOf(codeHash) });

export const unsealCode = (masterKey: MasterKey, sealed: Buffer, codeHash: Buffer): string =>
  unseal(masterKey, { sealed, context: contextOf(codeHash) });
