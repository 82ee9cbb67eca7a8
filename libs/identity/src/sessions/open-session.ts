// Gives a person a fresh session in place of whatever the browser held before.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { deleteSessionByHash, deleteSurplusSessions, insertSession } from '../store/sessions.ts';
import type { Browser } from './browser.ts';
import { aliveAt, sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

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
  await deleteSurplusSessions(tx, personId, { at: aliveAt(at), keep: sessionLimits.perPerson });
  return token;
}
