// Changes the role of a member, or removes a member. A tenant always retains an owner.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { invalidField } from '../errors.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteInvitations } from '../store/links.ts';
import { deleteMembership, lockMember, saveRole } from '../store/memberships.ts';
import { fitsTenant, isLeading, type Role } from './person.ts';

/** Changes the role of a member. The caller must check that the actor may change roles. */
export async function changeRole(
  signIn: SignIn,
  tx: Tx,
  input: {
    tenantId: bigint;
    personId: bigint;
    role: Role;
    actorId: bigint | null;
    address?: string;
  },
): Promise<void> {
  const { tenantId, personId, role } = input;
  if (!fitsTenant(role, tenantId)) {
    throw invalidField(signIn.errors, 'role', 'is not a role of this tenant.');
  }
  const { member, otherLeaders } = await lockMember(tx, { tenantId, personId });
  if (!member) throw signIn.errors.fail('member_not_found');
  if (member.role === role) return;
  if (isLeading(member.role) && otherLeaders === 0) throw signIn.errors.fail('last_owner');
  await saveRole(tx, { tenantId, personId, role });
  // A member may not invite, so the open invitations that a demoted owner created are deleted.
  await deleteInvitations(tx, { tenantId, email: null, invitedBy: personId });
  await signIn.audit(tx, {
    action: 'role_changed',
    actorId: input.actorId,
    personId,
    tenantId,
    address: input.address ?? null,
    details: { from: member.role, to: role },
  });
}

/**
 * Removes a member. The removal takes effect with the next request of the member, because each request reads
 * the memberships.
 */
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
  // Open invitations to the member, or by the member, are deleted, because the member could use them to join
  // again.
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
