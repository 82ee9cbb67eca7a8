// Changes the password of the signed-in person and ends all their other sessions.
import type { Browser } from '../sessions/cookie.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { openSession } from '../sessions/start-session.ts';
import { deleteResetLinks } from '../store/links.ts';
import { lockPerson, savePassword } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { hashNewPassword, requirePassword } from './check-password.ts';

/**
 * Changes the password and ends all sessions, because their tokens may have leaked. The browser that changes
 * the password gets a new session.
 */
export async function changePassword(
  signIn: SignIn,
  input: { session: Session; current: string; wanted: string; browser: Browser },
): Promise<{ token: string }> {
  const { personId, email } = input.session;
  const checked = await requirePassword(signIn, { personId, password: input.current });
  const passwordHash = await hashNewPassword(signIn, {
    password: input.wanted,
    email,
    field: 'new_password',
  });
  const token = await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (person?.passwordHash !== checked.passwordHash) throw signIn.errors.fail('password_wrong');
    await savePassword(tx, { personId, passwordHash, at: signIn.now() });
    await deleteSessionsOf(tx, personId);
    await deleteResetLinks(tx, personId);
    const { address } = input.browser;
    await signIn.audit(tx, { action: 'password_changed', actorId: personId, personId, address });
    return await openSession(signIn, tx, { personId, browser: input.browser });
  });
  return { token };
}
