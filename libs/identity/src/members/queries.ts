// Reads of memberships: of a person, and of a tenant.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Member, Membership, Role } from './person.ts';

/** What a person is a member of, and in which role. */
export async function listMemberships(db: Queryable, personId: bigint): Promise<Membership[]> {
  const { rows } = await db.query<{ tenantId: bigint; role: Role }>(
    'select tenant_id as "tenantId", role from memberships where person_id = $1 order by tenant_id',
    [personId],
  );
  return rows;
}

/** The members of a tenant, by e-mail. */
export async function listMembers(db: Queryable, tenantId: bigint): Promise<Member[]> {
  const { rows } = await db.query<{ [K in keyof Member]: Member[K] }>(
    `select m.person_id as "personId", p.email, p.name, m.role,
       p.totp_confirmed_at is not null as "secondFactor",
       p.disabled_at is not null as disabled, m.created_at as "joinedAt"
     from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 order by p.email`,
    [tenantId],
  );
  return rows;
}

export async function isMember(db: Queryable, tenantId: bigint, email: string): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 and p.email = $2`,
    [tenantId, email],
  );
  return rows.length > 0;
}
