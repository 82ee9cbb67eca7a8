// Signs a person in: e-mail and password, then the second factor if it is on.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { countAttempt, secondFactorLimits } from '../passwords/attempts.ts';
import { checkCredentials } from '../passwords/check-password.ts';
import { useSecondFactorCode } from '../second-factor/second-factor.ts';
import { lockPerson } from '../store/people.ts';
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
  const attempt =
    code === undefined ? undefined : await countAttempt(signIn, secondFactorLimits(checked.id));
  const token = await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, checked.id);
    // The password was judged before the lock; a change since then has ended all sessions, and
    // this one must not slip in behind it.
    if (person?.passwordHash !== checked.passwordHash || person.disabledAt !== null) {
      throw errors.fail('sign_in_failed');
    }
    if (person.secondFactor.confirmedAt !== null) {
      if (code === undefined) throw errors.fail('second_factor_required');
      await useSecondFactorCode(signIn, tx, { person, code });
    }
    const { address } = browser;
    await signIn.audit(tx, {
      action: 'signed_in',
      actorId: person.id,
      personId: person.id,
      address,
    });
    return await openSession(signIn, tx, { personId: person.id, browser });
  });
  await attempt?.giveBack();
  return { token };
}

/** Returns the token for the cookie. It is always new: a planted one is never taken over. */
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
  await deleteExcessSessions(tx, personId, { at: aliveAt(at), keep: sessionLimits.perPerson });
  return token;
}
