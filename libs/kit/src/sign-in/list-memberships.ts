// What a person is a member of, and in which role.
import type { Queryable } from '../db.ts';
import type { Membership } from './person.ts';
import { listMembershipsOf } from './store/memberships.ts';

export async function listMemberships(db: Queryable, personId: bigint): Promise<Membership[]> {
  return await listMembershipsOf(db, personId);
}
