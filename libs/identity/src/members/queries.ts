// Reads of memberships: of a person, and of a tenant.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Member, Membership } from './person.ts';

/** The tenants of a person, and the role in each. */
export async function listMemberships(db: Queryable, personId: bigint): Promise<Membership[]> {
  const { rows } = await db.query<Membership>(
    'select tenant_id as "tenantId", role from memberships where person_id = $1 order by tenant_id',
    [personId],
  );
  return rows;
}

/** The members of a tenant, by e-mail. */
export async function listMembers(db: Queryable, tenantId: bigint): Promise<Member[]> {
  const { rows } = await db.query<Member>(
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
