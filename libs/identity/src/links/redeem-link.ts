// Uses up a one-time link: the person joins the tenant, or has a new password.
import type { Browser } from '../sessions/browser.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { findLinkByHash } from '../store/links.ts';
import { hashLinkToken } from './make-link.ts';
import { redeemInvitation } from './redeem-invitation.ts';
import { redeemPasswordReset } from './redeem-password-reset.ts';

export interface RedeemInput {
  readonly token: string;
  readonly name: string | undefined;
  readonly password: string | undefined;
  /** Of the browser that redeems it, if it is signed in. */
  readonly session: Session | undefined;
  readonly browser: Browser;
}

export interface RedeemedLink {
  readonly purpose: 'invitation' | 'password_reset';
  readonly email: string;
  readonly tenantId: bigint | null;
  /** Set for a new person, who is signed in at once. */
  readonly token: string | undefined;
}

/**
 * Looked up here, used up at the end in the transaction that does the work: what is refused in
 * between (a password too short) leaves the link as it was, and of many at once one succeeds.
 */
export async function redeemLink(signIn: SignIn, input: RedeemInput): Promise<RedeemedLink> {
  const tokenHash = hashLinkToken(signIn, input.token);
  const link = tokenHash && (await findLinkByHash(signIn.db, tokenHash, signIn.now()));
  if (!link) throw signIn.errors.fail('link_invalid');
  return link.purpose === 'invitation'
    ? await redeemInvitation(signIn, { ...input, link, tokenHash })
    : await redeemPasswordReset(signIn, { ...input, link, tokenHash });
}
