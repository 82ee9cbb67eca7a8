// Takes the second factor off somebody who lost both the app and the recovery codes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { noSecondFactor, parseEmail } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { findPersonByEmail, lockPerson, saveSecondFactor } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';

/** For the operator at the command line only, for the reason given at `createPasswordResetLink`. */
export async function resetSecondFactor(
  signIn: SignIn,
  tx: Tx,
  input: { email: string },
): Promise<void> {
  const email = parseEmail(input.email);
  const found = email === undefined ? undefined : await findPersonByEmail(tx, email);
  const person = found && (await lockPerson(tx, found.id));
  if (!person) throw signIn.errors.fail('person_not_found');
  if (!person.secondFactor.confirmedAt) throw signIn.errors.fail('second_factor_off');
  await saveSecondFactor(tx, person.id, noSecondFactor);
  await deleteSessionsOf(tx, person.id);
  await signIn.audit(tx, {
    action: 'second_factor_disabled',
    actorId: null,
    personId: person.id,
    details: { by: 'operator' },
  });
}
