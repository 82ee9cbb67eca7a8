// One-time links: what each kind carries, and how a link is made and inspected.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { parseEmail, type Role } from '../members/person.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import {
  deleteExpiredLinks,
  deleteResetLinks,
  findLinkByHash,
  insertLink,
} from '../store/links.ts';
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

/** For the person who passes the link on. The token is not stored. */
export interface MadeLink {
  readonly id: bigint;
  readonly url: string;
  readonly expiresAt: Date;
}

const lifetimeMs = 24 * 60 * 60 * 1000;
const pages = { invitation: 'welcome', password_reset: 'reset' } as const;
const tokenForm = /^cfl_[A-Za-z0-9_-]{43}$/;

export async function makeLink(
  signIn: SignIn,
  tx: Tx,
  input: { link: Link; invitedBy: bigint | null },
): Promise<MadeLink> {
  const at = signIn.now();
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  const token = makeSecret('cfl_');
  await deleteExpiredLinks(tx, at);
  const tokenHash = hashSecret(signIn.masterKey, token);
  const id = await insertLink(tx, { ...input, tokenHash, at, expiresAt });
  // After a # the token is not sent to servers, so it appears in no access log and no Referer.
  const base = signIn.publicUrl.href.replace(/\/$/, '');
  return { id, url: `${base}/${pages[input.link.purpose]}#token=${token}`, expiresAt };
}

/** Undefined for a text that cannot be a token. */
export function hashLinkToken(signIn: SignIn, token: string): Buffer | undefined {
  return tokenForm.test(token) ? hashSecret(signIn.masterKey, token) : undefined;
}

export interface InspectedLink {
  readonly link: Link;
  /** Whether the e-mail is that of somebody who signs in, or a new person chooses a password. */
  readonly personExists: boolean;
}

export async function inspectLink(signIn: SignIn, token: string): Promise<InspectedLink> {
  const tokenHash = hashLinkToken(signIn, token);
  const link = tokenHash && (await findLinkByHash(signIn.db, tokenHash, signIn.now()));
  if (!link) throw signIn.errors.fail('link_invalid');
  const person = await findPersonByEmail(signIn.db, link.email);
  return { link, personExists: person !== undefined };
}

/**
 * For the operator at the command line only. A person may belong to several tenants: an owner of
 * one who could reset a member's password would get into the others.
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
  await signIn.audit(tx, {
    action: 'password_reset_link_made',
    actorId: null,
    personId: person.id,
  });
  const link = { purpose: 'password_reset', email: person.email, personId: person.id } as const;
  return await makeLink(signIn, tx, { link, invitedBy: null });
}
