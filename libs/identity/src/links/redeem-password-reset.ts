// Sets the new password that a reset link allows; the second factor stays on.

import { invalidField } from '../errors.ts';
import { hashNewPassword } from '../passwords/check-password.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { consumeLink, deleteResetLinks } from '../store/links.ts';
import { lockPerson, savePassword } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import type { PasswordReset } from './link.ts';
import type { RedeemedLink, RedeemInput } from './redeem-link.ts';

/** Nobody is signed in by it: whoever holds the link may lack the second factor. */
export async function redeemPasswordReset(
  signIn: SignIn,
  input: RedeemInput & { link: PasswordReset; tokenHash: Buffer },
): Promise<RedeemedLink> {
  const { errors } = signIn;
  const { password, tokenHash } = input;
  const { personId, email, purpose } = input.link;
  if (password === undefined) throw invalidField(errors, 'password', 'is required.');
  const passwordHash = await hashNewPassword(signIn, { password, email, field: 'password' });
  await signIn.db.transaction(async (tx) => {
    const at = signIn.now();
    const person = await lockPerson(tx, personId);
    if (!person || person.disabledAt !== null) throw errors.fail('link_invalid');
    if (!(await consumeLink(tx, tokenHash, at))) throw errors.fail('link_invalid');
    await savePassword(tx, { personId, passwordHash, at });
    await deleteSessionsOf(tx, personId);
    await deleteResetLinks(tx, personId);
    await signIn.audit(tx, {
      action: 'password_changed',
      actorId: personId,
      personId,
      address: input.browser.address,
      details: { by: 'reset link' },
    });
  });
  return { purpose, email, tenantId: null, token: undefined };
}
