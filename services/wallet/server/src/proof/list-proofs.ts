// The last proofs of several packages, by package.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type StoredProof, selectProofs } from './store.ts';

export async function listProofs(
  db: Queryable,
  packageIds: readonly number[],
): Promise<ReadonlyMap<number, StoredProof>> {
  const found = await selectProofs(db, packageIds);
  return new Map(found.map((proof) => [proof.packageId, proof]));
}
