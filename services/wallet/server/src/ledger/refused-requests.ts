// Stores the first refusal of each request that has an id of its own. A repeat of the request gets this
// refusal again.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db } from '@counterfoil/kit/postgres/db';
import {
  deleteRefusedRequests,
  findRefusedRequest,
  insertRefusedRequests,
  type RefusedRequest,
} from './store/refused-requests.ts';

export interface RefusalStore {
  /**
   * Stores a refusal. The caller answers the request only after this promise has resolved. Resolves to false
   * if the request was refused or accepted before. Refusals that arrive together share one write.
   */
  add(packageId: number, refused: RefusedRequest): Promise<boolean>;
  /** Returns the first refusal of the request; undefined if the request was not refused. */
  find(packageId: number, requestHash: string): Promise<RefusedRequest | undefined>;
}

export function createRefusalStore({ db, now }: { db: Db; now: () => Date }): RefusalStore {
  const add = createCoalescer<RefusedRequest, boolean>({
    maxBatch: 256,
    maxInFlight: 2,
    load: async (group, refused) => {
      const first = await insertRefusedRequests(db, { packageId: Number(group), refused, at: now() });
      // If several refusals have the same hash, only one of them is stored.
      return refused.map(({ requestHash }) => first.delete(requestHash));
    },
  });
  return {
    add: async (packageId, refused) => (await add(String(packageId), refused)) === true,
    find: (packageId, requestHash) => findRefusedRequest(db, packageId, requestHash),
  };
}

/** Deletes refusals that are older than `before`, at most `limit` of them. Returns how many it deleted. */
export const deleteOldRefusals = (
  db: Db,
  old: { packageId: number; before: Date; limit: number },
): Promise<number> => deleteRefusedRequests(db, old);
