// Lists and ends the sessions of a person.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { deleteSessionByHash, deleteSessionOf, listSessionsOf } from '../store/sessions.ts';
import type { Browser } from './cookie.ts';
import { aliveAt, type ListedSession, type Session } from './session.ts';
import type { SignIn } from './sign-in.ts';

export async function listSessions(signIn: SignIn, personId: bigint): Promise<ListedSession[]> {
  return await listSessionsOf(signIn.db, personId, aliveAt(signIn.now()));
}

/**
 * Ends a session of the person. A session of another person gets the same answer as a session that does not
 * exist.
 */
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

/** Ends the session of the browser. Does nothing if the browser has no session. */
export async function endSession(signIn: SignIn, browser: Browser): Promise<void> {
  const { token, address } = browser;
  if (token === undefined) return;
  await signIn.db.transaction(async (tx) => {
    const personId = await deleteSessionByHash(tx, hashSecret(signIn.masterKey, token));
    if (personId === undefined) return;
    await signIn.audit(tx, { action: 'signed_out', actorId: personId, personId, address });
  });
}
