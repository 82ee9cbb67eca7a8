// Runs proofs in the background. A process runs one proof at a time. In all processes together, a package has
// at most one running proof.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { presentProof } from './proof.ts';
import { findHeadRow, findProgress, findProof } from './queries.ts';
import { deleteClaim, insertClaim, saveProgress, saveProof } from './store.ts';
import { verifyLedger } from './verify-ledger.ts';

export type Prover = ReturnType<typeof createProver>;

/**
 * How long a claim is valid. The time is long enough for several failed renewals. After a crash, the claim
 * blocks its package for at most 20 s.
 */
const claimMs = 20_000;
const renewEveryMs = 3000;

export function createProver(deps: { db: Db; logger: Logger; now: () => Date }) {
  const { db, logger, now } = deps;
  const underWay = new Map<number, { movements: number; of: number }>();
  let queue = Promise.resolve();
  let renewing = false;

  const until = () => new Date(now().getTime() + claimMs);
  const renew = async (): Promise<void> => {
    for (const [packageId, progress] of underWay) {
      await saveProgress(db, { ...progress, packageId, until: until() }).catch(() => {});
    }
    renewing = false;
    renewLater();
  };
  const renewLater = () => {
    if (renewing || underWay.size === 0) return;
    renewing = true;
    setTimeout(renew, renewEveryMs).unref();
  };

  const run = async (packageId: number, progress: { movements: number; of: number }) => {
    const head = await findHeadRow(db, packageId);
    progress.of = Number(head?.sequence ?? 0n);
    const proof = await verifyLedger(db, packageId, {
      onProgress: (movements) => {
        progress.movements = Number(movements);
      },
    });
    await saveProof(db, { packageId, finishedAt: now(), result: presentProof(proof) });
  };

  const end = async (packageId: number): Promise<void> => {
    underWay.delete(packageId);
    await deleteClaim(db, packageId).catch(() => {});
  };

  return {
    /** Starts a proof. Does nothing if a proof of this package is waiting or running in any process. */
    start: async (packageId: number): Promise<void> => {
      const progress = { movements: 0, of: 0 };
      const claim = { ...progress, packageId, at: now(), until: until() };
      if (underWay.has(packageId) || !(await insertClaim(db, claim))) return;
      underWay.set(packageId, progress);
      renewLater();
      queue = queue
        .then(() => run(packageId, progress))
        .catch((error: unknown) => logger.error({ err: error, packageId }, 'a proof failed'))
        .then(() => end(packageId));
    },
    find: async (packageId: number) => ({
      running: underWay.get(packageId) ?? (await findProgress(db, { packageId, at: now() })),
      last: await findProof(db, packageId),
    }),
  };
}
