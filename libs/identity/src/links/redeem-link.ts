// Redeems a one-time link: the person joins the tenant, or gets a new password.

import type { Tx } from '@counterfoil/kit/postgres/db';
import { invalidField } from '../errors.ts';
import { type Person, parseName } from '../members/person.ts';
import { checkCredentials, hashNewPassword } from '../passwords/check-password.ts';
import type { Browser } from '../sessions/cookie.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { openSession } from '../sessions/start-session.ts';
import { consumeLink, deleteResetLinks } from '../store/links.ts';
import { insertMembership } from '../store/memberships.ts';
import { findPersonByEmail, insertPerson, lockPerson, savePassword } from '../store/people.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getOpenLink, type Invitation, type PasswordReset } from './link.ts';

interface RedeemInput {
  readonly token: string;
  readonly name: string | undefined;
  readonly password: string | undefined;
  /** The session of the browser, or undefined if the browser is not signed in. */
  readonly session: Session | undefined;
  readonly browser: Browser;
}

interface RedeemedLink {
  readonly purpose: 'invitation' | 'password_reset';
  readonly email: string;
  readonly tenantId: bigint | null;
  /**
   * The session token of a person who is new and therefore signed in at once. It is undefined if the person
   * existed before.
   */
  readonly token: string | undefined;
}

/**
 * Redeems a link. The link is consumed in the transaction that does the work. So a refused attempt, such as
 * an attempt with a short password, leaves the link open. Only one of several concurrent attempts succeeds.
 */
export async function redeemLink(signIn: SignIn, input: RedeemInput): Promise<RedeemedLink> {
  const { link, tokenHash } = await getOpenLink(signIn, input.token);
  return link.purpose === 'invitation'
    ? await redeemInvitation(signIn, { ...input, link, tokenHash })
    : await redeemPasswordReset(signIn, { ...input, link, tokenHash });
}

type Input = RedeemInput & { link: Invitation; tokenHash: Buffer };

async function redeemInvitation(signIn: SignIn, input: Input): Promise<RedeemedLink> {
  const known = await findPersonByEmail(signIn.db, input.link.email);
  const token = known ? await joinKnown(signIn, input, known) : await joinNew(signIn, input);
  const { purpose, email, tenantId } = input.link;
  return { purpose, email, tenantId, token };
}

/**
 * Redeems an invitation for a person who already exists. An invitation is valid for its e-mail only, so a
 * session of another person is ignored. An invitation never sets the password of this person, even if the
 * person has no password yet. Otherwise the inviter, who knows the link, could choose the password and get
 * access to the person's other tenants.
 */
async function joinKnown(signIn: SignIn, input: Input, known: Person): Promise<undefined> {
  if (input.session?.personId !== known.id) {
    const { password } = input;
    if (password === undefined) throw invalidField(signIn.errors, 'password', 'is required.');
    const { address } = input.browser;
    await checkCredentials(signIn, { email: known.email, password, address });
  }
  await signIn.db.transaction((tx) => join(signIn, tx, input, known.id));
}

async function joinNew(signIn: SignIn, input: Input): Promise<string> {
  const { password, link, browser } = input;
  const { email } = link;
  const name = input.name === undefined ? undefined : parseName(input.name);
  if (name === undefined) throw invalidField(signIn.errors, 'name', 'is required.');
  if (password === undefined) throw invalidField(signIn.errors, 'password', 'is required.');
  const passwordHash = await hashNewPassword(signIn, { password, email, field: 'password' });
  return await signIn.db.transaction(async (tx) => {
    const personId = await insertPerson(tx, { email, name, passwordHash, at: signIn.now() });
    const joined = await join(signIn, tx, input, personId);
    const { address } = browser;
    await signIn.audit(tx, { action: 'signed_in', actorId: joined, personId: joined, address });
    return await openSession(signIn, tx, { personId: joined, browser });
  });
}

async function join(signIn: SignIn, tx: Tx, input: Input, personId: bigint | undefined): Promise<bigint> {
  const { tenantId, role } = input.link;
  const at = signIn.now();
  // The membership is locked before the link. The removal of a member uses the same order, so redeeming and
  // removal cannot deadlock.
  if (personId !== undefined) await insertMembership(tx, { tenantId, personId, role, at });
  if (!(await consumeLink(tx, input.tokenHash, at))) throw signIn.errors.fail('link_invalid');
  // `personId` is undefined if another invitation for this e-mail was redeemed at the same time and created
  // the person.
  if (personId === undefined) throw signIn.errors.fail('person_exists');
  await signIn.audit(tx, {
    action: 'invitation_redeemed',
    actorId: personId,
    personId,
    tenantId,
    address: input.browser.address,
    details: { role },
  });
  return personId;
}

/**
 * Sets a new password. The person is not signed in, because the holder of the link may not have the second
 * factor.
 */
async function redeemPasswordReset(
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
