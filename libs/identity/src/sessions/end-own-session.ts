// Ends one of a person's own sessions, such as that of a lost telephone.

import { deleteSessionOf } from '../store/sessions.ts';
import type { Session } from './session.ts';
import type { SignIn } from './sign-in.ts';

/** Somebody else's session answers exactly like one that does not exist. */
export async function endOwnSession(
  signIn: SignIn,
  input: { session: Session; id: bigint; address: string },
): Promise<void> {
  const { personId } = input.session;
  const { address } = input;
  await signIn.db.transaction(async (tx) => {
    const ended = await deleteSessionOf(tx, { id: input.id, personId });
    if (!ended) throw signIn.errors.fail('session_not_found');
    await signIn.audit(tx, { action: 'session_ended', actorId: personId, personId, address });
  });
}
