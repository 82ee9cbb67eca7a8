// Accepts each nonce of a signed request once. All processes share the used nonces through the database.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Connection } from './connection.ts';
import { insertNonces } from './store.ts';

/**
 * How long a nonce is stored. The timestamp of a request may be five minutes ahead of the wallet's clock. The
 * signature of this request is then accepted for ten minutes.
 */
const retainedMs = 600_000;

export interface NonceStore {
  /**
   * Resolves to false if the connection has used the nonce before. Calls that arrive together share one
   * write.
   */
  accept(connection: Pick<Connection, 'packageId' | 'id'>, nonce: string): Promise<boolean>;
}

export function createNonceStore(options: { db: Db; now: () => Date }): NonceStore {
  const { db, now } = options;
  const accept = createCoalescer<string, boolean>({
    maxBatch: 256,
    load: async (group, nonces) => {
      const [packageId, connectionId = ''] = group.split(' ');
      const expiresAt = new Date(now().getTime() + retainedMs);
      const key = { packageId: Number(packageId), connectionId };
      const accepted = await insertNonces(db, { ...key, nonces, expiresAt });
      // If several requests in the list have the same nonce, only one of them is accepted.
      return nonces.map((nonce) => accepted.delete(nonce));
    },
  });
  return {
    accept: async ({ packageId, id }, nonce) => (await accept(`${packageId} ${id}`, nonce)) === true,
  };
}
