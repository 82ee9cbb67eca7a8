// Deletes expired nonces and old stored refusals in the background, package by package and in small batches.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deleteOldRefusals } from '../ledger/refused-requests.ts';
import { listPackageIds } from '../packages/queries.ts';
import { deleteExpiredNonces } from './store.ts';

const everyMs = 60_000;
/** The number of packages per run. The next run continues with the following packages. */
const packagesPerRun = 200;
const batchSize = 1000;
/** The maximum number of batches per package and run, so that one package does not delay the others. */
const maxBatches = 100;
/** The number of days for which a repeated request gets its first refusal again. */
const refusedDays = 30;

export interface ExpiryLoop {
  /** Deletes the expired rows of up to `packagesPerRun` packages now, so that a test need not wait. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

export function deleteExpiredLater(options: { db: Db; logger: Logger; now: () => Date }): ExpiryLoop {
  const { db, logger, now } = options;
  let after = 0;
  const run = async () => {
    const ids = await listPackageIds(db, after, packagesPerRun);
    after = ids.length < packagesPerRun ? 0 : (ids.at(-1) ?? 0);
    for (const packageId of ids) await deleteExpired(db, packageId, now());
  };
  return repeat(run, everyMs, (error) =>
    logger.warn({ err: error }, 'expired rows of provider calls could not be deleted'),
  );
}

async function deleteExpired(db: Db, packageId: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - refusedDays * 86_400_000);
  const limit = batchSize;
  await inBatches(() => deleteExpiredNonces(db, { packageId, now, limit }));
  await inBatches(() => deleteOldRefusals(db, { packageId, before, limit }));
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) if ((await deleteBatch()) < batchSize) return;
}
