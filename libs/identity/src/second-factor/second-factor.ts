// Codes of the second factor: from the authenticator app, or one of ten recovery codes.
import { randomBytes } from 'node:crypto';
import { equalsInConstantTime, hashSecret, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Person } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { saveSecondFactor } from '../store/people.ts';
import { findTotpStep, toBase32 } from './totp.ts';

const recoveryCodeCount = 10;
const sealContext = (personId: bigint) => `people.totp:${personId}`;

export const sealTotpSecret = (signIn: SignIn, personId: bigint, secret: Buffer): Buffer =>
  seal(signIn.masterKey, { plain: secret.toString('base64'), context: sealContext(personId) });

const unsealTotpSecret = (signIn: SignIn, personId: bigint, sealed: Buffer): Buffer =>
  Buffer.from(unseal(signIn.masterKey, { sealed, context: sealContext(personId) }), 'base64');

/** Makes recovery codes. Each code has 80 random bits, written in groups that are easy to copy by hand. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    toBase32(randomBytes(10))
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

export const hashRecoveryCode = (signIn: SignIn, personId: bigint, code: string): Buffer =>
  hashSecret(signIn.masterKey, `recovery code of ${personId}: ${compact(code)}`);

/** Removes spaces and dashes, which people may type into a code, and converts the code to lower case. */
const compact = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();

/**
 * Finds the time step of a code from the authenticator app. Returns undefined if the code is wrong or was
 * used before.
 */
export function findStep(signIn: SignIn, person: Person, code: string): bigint | undefined {
  const { sealed, lastStep } = person.secondFactor;
  if (!sealed) return undefined;
  const secret = unsealTotpSecret(signIn, person.id, sealed);
  return findTotpStep(secret, { code: compact(code), time: signIn.now(), after: lastStep });
}

/**
 * Consumes a code. The caller must have locked the person. Throws if the code is wrong or was used before.
 */
export async function useSecondFactorCode(
  signIn: SignIn,
  tx: Tx,
  input: { person: Person; code: string },
): Promise<void> {
  const { person, code } = input;
  const factor = person.secondFactor;
  const step = findStep(signIn, person, code);
  if (step !== undefined) {
    await saveSecondFactor(tx, person.id, { ...factor, lastStep: step });
    return;
  }
  const hash = hashRecoveryCode(signIn, person.id, code);
  const left = factor.recoveryCodeHashes.filter((each) => !equalsInConstantTime(each, hash));
  if (left.length === factor.recoveryCodeHashes.length) {
    throw signIn.errors.fail('second_factor_invalid');
  }
  await saveSecondFactor(tx, person.id, { ...factor, recoveryCodeHashes: left });
}
