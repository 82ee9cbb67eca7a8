// Creates a person with a password, and disables or enables a person.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { findPasswordProblem } from '../passwords/password.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { insertMembership } from '../store/memberships.ts';
import { insertPerson, lockPerson, saveDisabled } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { type Membership, parseEmail, parseName } from './person.ts';

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly memberships?: readonly Membership[];
  readonly at?: Date;
  readonly passwords?: PasswordHasher;
}

/** For demo data and tests, whose mistakes are plain Errors. */
export async function createPersonWithPassword(tx: Tx, input: NewPerson): Promise<bigint> {
  const email = parseEmail(input.email);
  const name = parseName(input.name);
  if (email === undefined || name === undefined) throw new Error('no e-mail, or no name');
  const problem = findPasswordProblem(input.password, email);
  if (problem !== undefined) throw new Error(`the password ${problem}`);
  const overloaded = () => new Error('too busy');
  const hasher = input.passwords ?? createPasswordHasher({ overloaded });
  const passwordHash = await hasher.hash(input.password);
  const at = input.at ?? new Date();
  const personId = await insertPerson(tx, { email, name, passwordHash, at });
  if (personId === undefined) throw new Error(`${email} is a person already`);
  for (const { tenantId, role } of input.memberships ?? []) {
    await insertMembership(tx, { tenantId, personId, role, at });
  }
  return personId;
}

interface Input {
  readonly personId: bigint;
  readonly actorId: bigint | null;
}

/** Ends all sessions. Memberships stay. Signing in then fails as with a wrong password. */
export async function disablePerson(signIn: SignIn, tx: Tx, input: Input): Promise<void> {
  const { personId, actorId } = input;
  if (!(await lockPerson(tx, personId))) throw signIn.errors.fail('person_not_found');
  await saveDisabled(tx, personId, signIn.now());
  await deleteSessionsOf(tx, personId);
  await signIn.audit(tx, { action: 'person_disabled', actorId, personId });
}

export async function enablePerson(signIn: SignIn, tx: Tx, input: Input): Promise<void> {
  const { personId, actorId } = input;
  if (!(await lockPerson(tx, personId))) throw signIn.errors.fail('person_not_found');
  await saveDisabled(tx, personId, null);
  await signIn.audit(tx, { action: 'person_enabled', actorId, personId });
}
