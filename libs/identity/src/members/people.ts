// Finds and creates people, and disables or enables a person.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { findPasswordProblem } from '../passwords/password.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { insertMembership } from '../store/memberships.ts';
import { findPersonByEmail, insertPerson, lockPerson, saveDisabled } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { type Membership, type Person, parseEmail, parseName } from './person.ts';

interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly memberships?: readonly Membership[];
  readonly at?: Date;
  readonly passwords?: PasswordHasher;
}

/** The input comes from code and not from a client, so a wrong value is a defect and throws an Error. */
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

/** For commands, which name a person by e-mail. */
export async function getPersonByEmail(signIn: SignIn, tx: Tx, text: string): Promise<Person> {
  const email = parseEmail(text);
  const person = email === undefined ? undefined : await findPersonByEmail(tx, email);
  if (!person) throw signIn.errors.fail('person_not_found');
  return person;
}

interface Input {
  readonly personId: bigint;
  readonly actorId: bigint | null;
}

/** Ends all sessions. A later sign-in is answered as if the password were wrong. */
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
