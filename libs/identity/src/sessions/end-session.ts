// Signs out: the session of this very browser ends.
import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { deleteSessionByHash } from '../store/sessions.ts';
import type { Browser } from './browser.ts';
import type { SignIn } from './sign-in.ts';

/** Without a session there is nothing to do, and that is fine. */
export async function endSession(signIn: SignIn, browser: Browser): Promise<void> {
  const { token, address } = browser;
  if (token === undefined) return;
  await signIn.db.transaction(async (tx) => {
    const personId = await deleteSessionByHash(tx, hashSecret(signIn.masterKey, token));
    if (personId === undefined) return;
    await signIn.audit(tx, { action: 'signed_out', actorId: personId, personId, address });
  });
}
