// Shuts a person out, or lets them in again, without touching what they are a member of.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SignIn } from '../sessions/sign-in.ts';
import { lockPerson, saveDisabled } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';

interface Input {
  readonly personId: bigint;
  readonly actorId: bigint | null;
}

/** Ends all sessions; signing in answers as if the password were wrong. */
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
