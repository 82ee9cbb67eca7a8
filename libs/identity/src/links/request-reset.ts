// Sends a password reset by mail to a person who has forgotten the password.

import type { Language } from '@counterfoil/kit/http/headers';
import { parseEmail } from '../members/person.ts';
import { countAttempt, resetLimits } from '../passwords/attempts.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { findPersonByEmail } from '../store/people.ts';
import { makeLink } from './link.ts';

const lifetimeMs = 60 * 60 * 1000;

interface ResetRequest {
  readonly email: string;
  readonly address: string;
  readonly language: Language | undefined;
}

/**
 * Checks whether a reset may be requested, without looking up the e-mail. Every e-mail therefore gets the
 * same answer.
 */
export async function admitResetRequest(signIn: SignIn, { address }: ResetRequest): Promise<void> {
  if (signIn.linkMailer.mode === 'off') throw signIn.errors.fail('mail_off');
  await countAttempt(signIn, resetLimits(address));
}

/**
 * Queues the mail if a person with this e-mail exists and is not disabled. Earlier links stay valid: if a new
 * request ended them, a stranger could end the person's link by requesting another reset. The number of mails
 * per e-mail address is limited.
 */
export async function sendPasswordReset(signIn: SignIn, request: ResetRequest): Promise<void> {
  const email = parseEmail(request.email);
  const person = email === undefined ? undefined : await findPersonByEmail(signIn.db, email);
  if (!person || person.disabledAt !== null) return;
  const link = { purpose: 'password_reset', email: person.email, personId: person.id } as const;
  await signIn.db.transaction(async (tx) => {
    const { url, expiresAt } = await makeLink(signIn, tx, { link, invitedBy: null, lifetimeMs });
    const mail = await signIn.linkMailer.send(tx, {
      purpose: link.purpose,
      tenantId: null,
      email: person.email,
      url,
      expiresAt,
      language: person.language ?? request.language ?? 'en',
      inviter: undefined,
    });
    const event = { action: 'password_reset_requested', actorId: null, personId: person.id } as const;
    await signIn.audit(tx, { ...event, address: request.address, details: { mail } });
  });
}
