// Runs proofs in the background, one at a time in a process, and keeps the last one of each package.
import type { Db } from '@counterfoil/kit/db';
import type { Logger } from '@counterfoil/kit/logging';
import { presentProof } from './proof.ts';
import { type StoredProof, saveProof, selectHeadRow, selectProof } from './store.ts';
import { verifyLedger } from './verify-ledger.ts';

export interface ProofState {
  readonly running: { readonly movements: number; readonly of: number } | undefined;
  readonly last: StoredProof | undefined;
}

export interface Prover {
  /** Starts a proof unless one of this package waits or runs already. */
  start(packageId: number): void;
  find(packageId: number): Promise<ProofState>;
}

export function createProver(deps: { db: Db; logger: Logger; now: () => Date }): Prover {
  const { db, logger, now } = deps;
  const underWay = new Map<number, { movements: number; of: number }>();
  let queue = Promise.resolve();

  const run = async (packageId: number): Promise<void> => {
    const head = await selectHeadRow(db, packageId);
    const state = { movements: 0, of: Number(head?.sequence ?? 0n) };
    underWay.set(packageId, state);
    const proof = await verifyLedger(db, packageId, {
      onProgress: (movements) => {
        state.movements = Number(movements);
      },
    });
    await saveProof(db, { packageId, finishedAt: now(), result: presentProof(proof) });
  };

  return {
    start: (packageId) => {
      if (underWay.has(packageId)) return;
      underWay.set(packageId, { movements: 0, of: 0 });
      queue = queue
        .then(() => run(packageId))
        .catch((error: unknown) => logger.error({ err: error, packageId }, 'a proof failed'))
        .finally(() => underWay.delete(packageId));
    },
    find: async (packageId) => ({
      running: underWay.get(packageId),
      last: await selectProof(db, packageId),
    }),
  };
}
