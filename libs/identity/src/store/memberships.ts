// Rows of `memberships`: a person, a tenant and a role.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { isLeading, type Role } from '../members/person.ts';

/** Inserts a membership. The role of an existing membership stays unchanged. */
export async function insertMembership(
  tx: Tx,
  membership: { tenantId: bigint; personId: bigint; role: Role; at: Date },
): Promise<void> {
  await tx.query(
    `insert into memberships (tenant_id, person_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (tenant_id, person_id) do nothing`,
    [membership.tenantId, membership.personId, membership.role, membership.at],
  );
}

interface LockedMembers {
  readonly member: { readonly email: string; readonly role: Role } | undefined;
  /**
   * The number of other owners who are not disabled. On the platform, it is the number of other
   * administrators.
   */
  readonly otherLeaders: number;
}

/**
 * Locks the member and all owners, always in the same order. If two owners remove each other at the same
 * time, the second request waits here. It is then refused, because it would remove the last owner.
 */
export async function lockMember(
  tx: Tx,
  key: { tenantId: bigint; personId: bigint },
): Promise<LockedMembers> {
  const { rows } = await tx.query<{
    person_id: bigint;
    email: string;
    role: Role;
    disabled: boolean;
  }>(
    `select m.person_id, p.email, m.role, p.disabled_at is not null as disabled
     from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 and (m.role <> 'member' or m.person_id = $2)
     order by m.person_id for no key update of m`,
    [key.tenantId, key.personId],
  );
  const leaders = rows.filter((row) => isLeading(row.role) && !row.disabled);
  return {
    member: rows.find((row) => row.person_id === key.personId),
    otherLeaders: leaders.filter((row) => row.person_id !== key.personId).length,
  };
}

export async function saveRole(
  tx: Tx,
  change: { tenantId: bigint; personId: bigint; role: Role },
): Promise<void> {
  await tx.query('update memberships set role = $3 where tenant_id = $1 and person_id = $2', [
    change.tenantId,
    change.personId,
    change.role,
  ]);
}

export async function deleteMembership(tx: Tx, key: { tenantId: bigint; personId: bigint }): Promise<void> {
  await tx.query('delete from memberships where tenant_id = $1 and person_id = $2', [
    key.tenantId,
    key.personId,
  ]);
}
