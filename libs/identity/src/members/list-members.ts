// Who belongs to a tenant, by e-mail.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { listMembersOf } from '../store/memberships.ts';
import type { Member } from './person.ts';

export async function listMembers(db: Queryable, tenantId: bigint): Promise<Member[]> {
  return await listMembersOf(db, tenantId);
}
