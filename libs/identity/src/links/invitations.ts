// Invitations to a tenant: one-time links that the inviter sends to the invited person.
import type { Language } from '@counterfoil/kit/http/headers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { invalidField } from '../errors.ts';
import { fitsTenant, parseEmail, type Role } from '../members/person.ts';
import { isMember } from '../members/queries.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteInvitation, deleteInvitations, listInvitationsOf } from '../store/links.ts';
import { findPerson, findPersonByEmail } from '../store/people.ts';
import { type MadeLink, makeLink, type OpenInvitation } from './link.ts';

interface InvitePersonInput {
  readonly tenantId: bigint;
  readonly email: string;
  readonly role: Role;
  /** The person who invites, or null for an operator or a program. */
  readonly invitedBy: bigint | null;
  readonly address?: string;
  /** The language of the inviter, which is used if the language of the invited person is not known. */
  readonly language?: Language | undefined;
}

type SentInvitation = MadeLink & { readonly mail: 'queued' | 'limited' | 'off' };

/**
 * Creates an invitation. The caller must check that the inviter may invite. An earlier open invitation of the
 * tenant to the same e-mail stops working. `mail` in the result says whether the link is also sent by mail.
 */
export async function invitePerson(
  signIn: SignIn,
  tx: Tx,
  input: InvitePersonInput,
): Promise<SentInvitation> {
  const { tenantId, role, invitedBy } = input;
  const email = parseEmail(input.email);
  if (email === undefined) throw invalidField(signIn.errors, 'email', 'is not an e-mail.');
  if (!fitsTenant(role, tenantId)) {
    throw invalidField(signIn.errors, 'role', 'is not a role of this tenant.');
  }
  if (await isMember(tx, tenantId, email)) throw signIn.errors.fail('already_member');
  await deleteInvitations(tx, { tenantId, email, invitedBy: null });
  const link = { purpose: 'invitation', email, tenantId, role } as const;
  const made = await makeLink(signIn, tx, { link, invitedBy });
  const person = await findPersonByEmail(tx, email);
  await signIn.audit(tx, {
    action: 'invitation_made',
    actorId: invitedBy,
    personId: person?.id ?? null,
    tenantId,
    address: input.address ?? null,
    details: { email, role },
  });
  const inviter = invitedBy === null ? undefined : await findPerson(tx, invitedBy);
  const { url, expiresAt } = made;
  const language = person?.language ?? input.language ?? 'en';
  const purpose = 'invitation';
  const message = { purpose, tenantId, email, url, expiresAt, language, inviter: inviter?.email } as const;
  return { ...made, mail: await signIn.linkMailer.send(tx, message) };
}

export async function listInvitations(signIn: SignIn, tenantId: bigint): Promise<OpenInvitation[]> {
  return await listInvitationsOf(signIn.db, tenantId, signIn.now());
}

export async function withdrawInvitation(
  signIn: SignIn,
  tx: Tx,
  input: { tenantId: bigint; id: bigint; actorId: bigint | null; address?: string },
): Promise<void> {
  const { tenantId, actorId } = input;
  const email = await deleteInvitation(tx, input);
  if (email === undefined) throw signIn.errors.fail('invitation_not_found');
  await signIn.audit(tx, {
    action: 'invitation_withdrawn',
    actorId,
    personId: null,
    tenantId,
    address: input.address ?? null,
    details: { email },
  });
}
