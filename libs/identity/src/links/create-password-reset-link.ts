// Makes a one-time link by which a person sets a new password.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { parseEmail } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteResetLinks } from '../store/links.ts';
import { findPersonByEmail } from '../store/people.ts';
import type { MadeLink } from './link.ts';
import { makeLink } from './make-link.ts';

/**
 * For the operator at the command line only. A person may belong to several tenants: an owner of
 * one who could reset a member's password would get into the others.
 */
export async function createPasswordResetLink(
  signIn: SignIn,
  tx: Tx,
  input: { email: string },
): Promise<MadeLink> {
  const email = parseEmail(input.email);
  const person = email === undefined ? undefined : await findPersonByEmail(tx, email);
  if (!person) throw signIn.errors.fail('person_not_found');
  await deleteResetLinks(tx, person.id);
  await signIn.audit(tx, {
    action: 'password_reset_link_made',
    actorId: null,
    personId: person.id,
  });
  const link = { purpose: 'password_reset', email: person.email, personId: person.id } as const;
  return await makeLink(signIn, tx, { link, invitedBy: null });
}
