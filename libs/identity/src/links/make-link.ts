// Makes a one-time link: how long it lives, and the address it has in the panel.

import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteExpiredLinks, insertLink } from '../store/links.ts';
import type { Link, MadeLink } from './link.ts';

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
  // Behind a # the token reaches no server by itself: no access log, no Referer.
  const base = signIn.publicUrl.href.replace(/\/$/, '');
  return { id, url: `${base}/${pages[input.link.purpose]}#token=${token}`, expiresAt };
}

/** Undefined for what no link of ours looks like. */
export function hashLinkToken(signIn: SignIn, token: string): Buffer | undefined {
  return tokenForm.test(token) ? hashSecret(signIn.masterKey, token) : undefined;
}
