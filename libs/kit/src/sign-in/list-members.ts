// Who belongs to a tenant, by e-mail.
import type { Queryable } from '../db.ts';
import type { Member } from './person.ts';
import { listMembersOf } from './store/memberships.ts';

export async function listMembers(db: Queryable, tenantId: bigint): Promise<Member[]> {
  return await listMembersOf(db, tenantId);
}
