// Makes the invited person a member: a new one with name and password, a known one as they are.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { invalidField } from '../errors.ts';
import { type Person, parseName } from '../members/person.ts';
import { checkCredentials, hashNewPassword } from '../passwords/check-password.ts';
import { openSession } from '../sessions/open-session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { consumeLink } from '../store/links.ts';
import { insertMembership } from '../store/memberships.ts';
import { findPersonByEmail, insertPerson } from '../store/people.ts';
import type { Invitation } from './link.ts';
import type { RedeemedLink, RedeemInput } from './redeem-link.ts';

type Input = RedeemInput & { link: Invitation; tokenHash: Buffer };

export async function redeemInvitation(signIn: SignIn, input: Input): Promise<RedeemedLink> {
  const known = await findPersonByEmail(signIn.db, input.link.email);
  const token = known ? await joinKnown(signIn, input, known) : await joinNew(signIn, input);
  const { purpose, email, tenantId } = input.link;
  return { purpose, email, tenantId, token };
}

/**
 * The invitation is for its e-mail: signed in as somebody else counts as not signed in. It sets no
 * password, not even a first one: whoever invites holds the link, and could use it for a way into
 * the person's other tenants.
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

async function join(
  signIn: SignIn,
  tx: Tx,
  input: Input,
  personId: bigint | undefined,
): Promise<bigint> {
  const { tenantId, role } = input.link;
  const at = signIn.now();
  // The membership first, as when a member is removed: the same order of locks.
  if (personId !== undefined) await insertMembership(tx, { tenantId, personId, role, at });
  if (!(await consumeLink(tx, input.tokenHash, at))) throw signIn.errors.fail('link_invalid');
  // Somebody redeemed another invitation for this e-mail at the same moment.
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
