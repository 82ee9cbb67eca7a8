// One-time links: the two kinds of links, and how a link is created and inspected.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { parseEmail, type Role } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteExpiredLinks, deleteResetLinks, findLinkByHash, insertLink } from '../store/links.ts';
import { findPersonByEmail } from '../store/people.ts';

export interface Invitation {
  readonly purpose: 'invitation';
  readonly email: string;
  readonly tenantId: bigint;
  readonly role: Role;
}

export interface PasswordReset {
  readonly purpose: 'password_reset';
  readonly email: string;
  readonly personId: bigint;
}

export type Link = Invitation | PasswordReset;

export interface OpenInvitation {
  readonly id: bigint;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: bigint | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type MadeLink = Awaited<ReturnType<typeof makeLink>>;

const defaultLifetimeMs = 24 * 60 * 60 * 1000;
const pages = { invitation: 'welcome', password_reset: 'reset' } as const;
const tokenForm = /^cfl_[A-Za-z0-9_-]{43}$/;

/** Creates a link. The returned URL contains the token; the service stores only a hash of the token. */
export async function makeLink(
  signIn: SignIn,
  tx: Tx,
  input: { link: Link; invitedBy: bigint | null; lifetimeMs?: number },
) {
  const { link, invitedBy, lifetimeMs = defaultLifetimeMs } = input;
  const at = signIn.now();
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  const token = makeSecret('cfl_');
  await deleteExpiredLinks(tx, at);
  const tokenHash = hashSecret(signIn.masterKey, token);
  const id = await insertLink(tx, { link, invitedBy, tokenHash, at, expiresAt });
  // Browsers do not send the part after #, so the token is in no access log and no Referer.
  const base = signIn.publicUrl.href.replace(/\/$/, '');
  return { id, url: `${base}/${pages[link.purpose]}#token=${token}`, expiresAt };
}

/**
 * Returns the open link with this token. Throws the same error for a used, an expired and an unknown link.
 */
export async function getOpenLink(signIn: SignIn, token: string): Promise<{ link: Link; tokenHash: Buffer }> {
  const tokenHash = tokenForm.test(token) ? hashSecret(signIn.masterKey, token) : undefined;
  const link = tokenHash && (await findLinkByHash(signIn.db, tokenHash, signIn.now()));
  if (!link) throw signIn.errors.fail('link_invalid');
  return { link, tokenHash };
}

export async function inspectLink(signIn: SignIn, token: string) {
  const { link } = await getOpenLink(signIn, token);
  const person = await findPersonByEmail(signIn.db, link.email);
  return { link, personExists: person !== undefined };
}

/**
 * Creates a link for a password reset. Earlier open links for a reset of this password stop working. The
 * command line calls this function for an operator, who passes the link on to the person. Owners may not
 * create this link: a member may belong to several tenants, and an owner who reset the member's password
 * would get access to the member's other tenants.
 */
export async function createPasswordResetLink(
  signIn: SignIn,
  tx: Tx,
  input: { email: string },
): Promise<MadeLink> {
  const email = parseEmail(input.email);
  const person = email === undefined ? undefined : await findPersonByEmail(tx, email);
  if (!person) throw signIn.errors.fail('person_not_found');
  await deleteResetLinks(tx, person.id);
  await signIn.audit(tx, { action: 'password_reset_link_made', actorId: null, personId: person.id });
  const link = { purpose: 'password_reset', email: person.email, personId: person.id } as const;
  return await makeLink(signIn, tx, { link, invitedBy: null });
}
