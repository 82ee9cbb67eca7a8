// Creates people who can sign in.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { findPasswordProblem } from '../passwords/password.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';
import { insertMembership } from '../store/memberships.ts';
import { findPersonByEmail, insertPerson } from '../store/people.ts';
import { type Membership, parseEmail, parseName } from './person.ts';

interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly memberships?: readonly Membership[];
  readonly at?: Date;
  readonly passwords?: PasswordHasher;
}

export const isPerson = async (db: Queryable, email: string): Promise<boolean> =>
  (await findPersonByEmail(db, email)) !== undefined;

/**
 * Creates a person. The input comes from our own code, never from a client. A wrong value is therefore a
 * bug, and the function throws an Error.
 */
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
