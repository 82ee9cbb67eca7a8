// What a person is a member of, and in which role.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { listMembershipsOf } from '../store/memberships.ts';
import type { Membership } from './person.ts';

export async function listMemberships(db: Queryable, personId: bigint): Promise<Membership[]> {
  return await listMembershipsOf(db, personId);
}
