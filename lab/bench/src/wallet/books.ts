// Checks the ledger after every run: a figure counts only if the ledger has no flaws.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { isClean } from '@counterfoil/wallet-server/proof/proof';
import { verifyLedger } from '@counterfoil/wallet-server/proof/verify-ledger';
import type { Dataset } from './dataset.ts';
import { openRivalsDb } from './rivals/rivals.ts';

export type Ledger = 'ours' | 'engine' | 'rivals';

export interface Books {
  readonly db: Db;
  /**
   * Runs the work. Throws if the ledger has flaws afterwards, or if the number of new rows does not match the
   * answers. With `fresh`, every answer must have a new row. Without `fresh`, all requests are repeats, and
   * at most one new row per connection is allowed.
   */
  watch<T extends { answers: number }>(
    ledger: Ledger,
    options: { connections: number; fresh: boolean },
    work: () => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export function openBooks(dataset: Dataset): Books {
  const { url } = dataset;
  const db = openDb({ url, applicationName: 'bench books', queryTimeoutMs: 60_000 });
  const rivals = openRivalsDb({ url, maxConnections: 2 });
  const ledgers: Record<Ledger, { db: Db; packageId: number }> = {
    ours: { db, packageId: dataset.packageId },
    engine: { db, packageId: dataset.enginePackageId },
    rivals: { db: rivals, packageId: dataset.packageId },
  };
  return {
    db,
    watch: async (ledger, { connections, fresh }, work) => {
      const watched = ledgers[ledger];
      const before = await settle(watched);
      const result = await work();
      await settle(watched);
      const proof = await verifyLedger(watched.db, watched.packageId);
      if (!isClean(proof)) {
        const flaws = proof.flaws.map((flaw) => flaw.problem).slice(0, 3);
        throw new Error(`the run is void, because the ledger has flaws: ${flaws}`);
      }
      const rows = Number(proof.movements) - before;
      // Orders that are in flight at the end of the load are written, but their answers are not counted. So
      // the journal may have more rows than there are answers.
      const [least, most] = fresh ? [result.answers, result.answers + connections] : [0, connections];
      if (rows < least || rows > most) {
        throw new Error(`the run is void, because ${result.answers} answers wrote ${rows} rows`);
      }
      return result;
    },
    close: async () => {
      await rivals.end();
      await db.end();
    },
  };
}

/** Waits until the number of movements has not changed for 100 ms, and returns the number. */
async function settle(watched: { db: Db; packageId: number }): Promise<number> {
  for (let last = -1; ; ) {
    const count = await countMovements(watched);
    if (count === last) return count;
    last = count;
    await sleep(100);
  }
}

async function countMovements(watched: { db: Db; packageId: number }): Promise<number> {
  const { rows } = await watched.db.query<{ sequence: bigint }>(
    'select sequence from ledger_heads where package_id = $1',
    [watched.packageId],
  );
  return Number(rows[0]?.sequence ?? 0n);
}
