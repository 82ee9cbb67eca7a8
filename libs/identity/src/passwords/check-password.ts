// Checks passwords. At sign-in, an unknown e-mail costs the same work and gets the same error as a wrong
// password.
import { type Person, parseEmail } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { findPerson, findPersonByEmail } from '../store/people.ts';
import { type Attempt, countAttempt, passwordLimits, signInLimits } from './attempts.ts';
import { findPasswordProblem } from './password.ts';
import { unmatchableHash } from './password-hasher.ts';

/**
 * Returns the person with this e-mail and password. This function is for requests without a session, such as
 * a sign-in.
 */
export async function checkCredentials(
  signIn: SignIn,
  input: { email: string; password: string; address: string },
): Promise<Person> {
  const email = parseEmail(input.email);
  if (email === undefined) throw signIn.errors.fail('sign_in_failed');
  const attempt = await countAttempt(signIn, signInLimits({ email, address: input.address }));
  const person = await findPersonByEmail(signIn.db, email);
  const matches = await isPassword(signIn, { person, password: input.password, attempt });
  if (!person || !matches) throw signIn.errors.fail('sign_in_failed');
  await attempt.giveBack();
  return person;
}

/**
 * Checks the password of a signed-in person again, before a secret is revealed or a protection is removed.
 * Throws `password_wrong`, or `rate_limited` after ten wrong passwords in 15 minutes.
 */
export async function requirePassword(
  signIn: SignIn,
  input: { personId: bigint; password: string },
): Promise<Person> {
  const attempt = await countAttempt(signIn, passwordLimits(input.personId));
  const person = await findPerson(signIn.db, input.personId);
  const matches = await isPassword(signIn, { person, password: input.password, attempt });
  if (!person || !matches) throw signIn.errors.fail('password_wrong');
  await attempt.giveBack();
  return person;
}

async function isPassword(
  signIn: SignIn,
  input: { person: Person | undefined; password: string; attempt: Attempt },
): Promise<boolean> {
  const { person } = input;
  const encoded = person?.passwordHash ?? unmatchableHash;
  try {
    const matches = await signIn.passwords.verify(encoded, input.password);
    return matches && person !== undefined && person.disabledAt === null;
  } catch (error) {
    // The check of the password failed, in most cases because of overload, so the attempt does not count.
    await input.attempt.giveBack();
    throw error;
  }
}

/** Hashes a new password. Throws `password_refused` if the rules do not allow the password. */
export async function hashNewPassword(
  signIn: SignIn,
  input: { password: string; email: string; field: string },
): Promise<string> {
  const problem = findPasswordProblem(input.password, input.email);
  if (problem !== undefined) {
    throw signIn.errors.fail('password_refused', { errors: { [input.field]: [problem] } });
  }
  return await signIn.passwords.hash(input.password);
}
