// Reads the memberships of a person, and the members of a tenant.
import type { Language } from '@counterfoil/kit/http/headers';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { Member, Membership } from './person.ts';

/** Lists the tenants of a person, with the person's role in each tenant. */
export const listMemberships = (db: Queryable, personId: bigint): Promise<Membership[]> =>
  queryRows(db, 'select tenant_id, role from memberships where person_id = $1 order by tenant_id', [
    personId,
  ]);

/** Lists the members of a tenant, ordered by e-mail. */
export const listMembers = (db: Queryable, tenantId: bigint): Promise<Member[]> =>
  queryRows(
    db,
    `select m.person_id, p.email, p.name, m.role, p.totp_confirmed_at is not null as second_factor,
       p.disabled_at is not null as disabled, m.created_at as joined_at
     from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 order by p.email`,
    [tenantId],
  );

/** Lists the owners of a tenant who can sign in, with the language of each, for messages to the owners. */
export const listOwners = (
  db: Queryable,
  tenantId: bigint,
): Promise<{ readonly email: string; readonly language?: Language }[]> =>
  queryRows(
    db,
    `select p.email, p.language from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 and m.role = 'owner' and p.disabled_at is null order by p.email`,
    [tenantId],
  );

export async function isMember(db: Queryable, tenantId: bigint, email: string): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from memberships m join people p on p.id = m.person_id
     where m.tenant_id = $1 and p.email = $2`,
    [tenantId, email],
  );
  return rows.length > 0;
}
