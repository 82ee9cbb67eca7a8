// Takes a person out of a tenant; they stay a person, and a member elsewhere.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteInvitations } from '../store/links.ts';
import { deleteMembership, lockMember } from '../store/memberships.ts';
import { isLeading } from './person.ts';

/** Holds from the next request on: memberships are read with every session. */
export async function removeMember(
  signIn: SignIn,
  tx: Tx,
  input: { tenantId: bigint; personId: bigint; actorId: bigint | null; address?: string },
): Promise<void> {
  const { tenantId, personId } = input;
  const { member, otherLeaders } = await lockMember(tx, { tenantId, personId });
  if (!member) throw signIn.errors.fail('member_not_found');
  if (isLeading(member.role) && otherLeaders === 0) throw signIn.errors.fail('last_owner');
  await deleteMembership(tx, { tenantId, personId });
  // No way back in by a link that was made for them, or by them for a second e-mail of theirs.
  await deleteInvitations(tx, { tenantId, email: member.email, invitedBy: personId });
  await signIn.audit(tx, {
    action: 'member_removed',
    actorId: input.actorId,
    personId,
    tenantId,
    address: input.address ?? null,
    details: { role: member.role },
  });
}
