// Tells the holder of a one-time link what it is for, without using it up.

import type { SignIn } from '../sessions/sign-in.ts';
import { findLinkByHash } from '../store/links.ts';
import { findPersonByEmail } from '../store/people.ts';
import type { Link } from './link.ts';
import { hashLinkToken } from './make-link.ts';

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
