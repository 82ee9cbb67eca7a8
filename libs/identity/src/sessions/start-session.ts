// Signs a person in: e-mail and password, then the second factor if it is on.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { countAttempt, secondFactorLimits } from '../passwords/attempts.ts';
import { checkCredentials } from '../passwords/check-password.ts';
import { useSecondFactorCode } from '../second-factor/second-factor.ts';
import { lockPerson, saveLanguage } from '../store/people.ts';
import { deleteExcessSessions, deleteSessionByHash, insertSession } from '../store/sessions.ts';
import type { Browser } from './cookie.ts';
import { aliveAt, sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

export async function startSession(
  signIn: SignIn,
  input: { email: string; password: string; code: string | undefined; browser: Browser },
): Promise<{ token: string }> {
  const { code, browser } = input;
  const { errors } = signIn;
  const checked = await checkCredentials(signIn, { ...input, address: browser.address });
  const attempt = code === undefined ? undefined : await countAttempt(signIn, secondFactorLimits(checked.id));
  const token = await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, checked.id);
    // The password was checked before the row of the person was locked. If the password was changed in
    // between, the old password must not start a session.
    if (person?.passwordHash !== checked.passwordHash || person.disabledAt !== null) {
      throw errors.fail('sign_in_failed');
    }
    if (person.secondFactor.confirmedAt !== null) {
      if (code === undefined) throw errors.fail('second_factor_required');
      await useSecondFactorCode(signIn, tx, { person, code });
    }
    const { id: personId } = person;
    const { address } = browser;
    await signIn.audit(tx, { action: 'signed_in', actorId: personId, personId, address });
    return await openSession(signIn, tx, { personId, browser });
  });
  await attempt?.giveBack();
  return { token };
}

/**
 * Opens a session and returns a new token for the cookie. If the browser sent the token of an earlier
 * session, that session ends.
 */
export async function openSession(
  signIn: SignIn,
  tx: Tx,
  input: { personId: bigint; browser: Browser },
): Promise<string> {
  const { personId, browser } = input;
  const at = signIn.now();
  const token = makeSecret('cfs_');
  if (browser.token !== undefined) {
    await deleteSessionByHash(tx, hashSecret(signIn.masterKey, browser.token));
  }
  await insertSession(tx, {
    tokenHash: hashSecret(signIn.masterKey, token),
    personId,
    at,
    expiresAt: new Date(at.getTime() + sessionLimits.absoluteMs),
    address: browser.address,
    userAgent: browser.userAgent,
  });
  if (browser.language) await saveLanguage(tx, personId, browser.language);
  await deleteExcessSessions(tx, personId, { at: aliveAt(at), keep: sessionLimits.perPerson });
  return token;
}
