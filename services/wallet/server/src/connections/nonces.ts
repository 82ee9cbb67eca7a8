// Accepts each nonce of a signed request once. All processes share the used nonces through the database.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Connection } from './connection.ts';
import { deleteExpiredNonces, insertNonces, type NonceKey } from './store.ts';

/**
 * How long a nonce is stored. A timestamp may be five minutes ahead of the wallet's clock, and its signature
 * is then accepted for ten minutes.
 */
const retainedMs = 600_000;
const deleteEveryMs = 60_000;

export interface NonceStore {
  /**
   * Resolves to false if the connection has used the nonce before. Calls that arrive together share one
   * write.
   */
  accept(connection: Pick<Connection, 'packageId' | 'id'>, nonce: string): Promise<boolean>;
  close(): Promise<void>;
}

export function createNonceStore(options: { db: Db; logger: Logger; now: () => Date }): NonceStore {
  const { db, logger, now } = options;
  const accept = createCoalescer<NonceKey, boolean>({
    maxBatch: 256,
    maxInFlight: 2,
    load: async (group, keys) => {
      const expiresAt = new Date(now().getTime() + retainedMs);
      const isNew = await insertNonces(db, { packageId: Number(group), keys, expiresAt });
      return keys.map(isNew);
    },
  });
  const loop = repeat(
    () => deleteExpiredNonces(db, now()),
    deleteEveryMs,
    (error) => logger.warn({ err: error }, 'expired nonces of provider calls could not be deleted'),
  );
  return {
    accept: async ({ packageId, id }, nonce) =>
      (await accept(String(packageId), { connectionId: id, nonce })) === true,
    close: loop.stop,
  };
}
