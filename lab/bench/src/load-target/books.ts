// Checks the books after a run: the number of rows, the ledgers, and that no refused request is stored.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@counterfoil/kit/postgres/db';
import { openProgress } from '@counterfoil/kit/process/progress';
import { hashId } from '@counterfoil/wallet-server/ledger/rules/ids';
import { isClean } from '@counterfoil/wallet-server/proof/proof';
import { verifyLedger } from '@counterfoil/wallet-server/proof/verify-ledger';
import { nameRequest } from '../open-loop/requests.ts';

interface Packages {
  readonly packages: readonly { readonly id: number }[];
}

/** Waits until the number of movements has not changed for 100 ms, and returns the number. */
export async function settleRows(db: Db, dataset: Packages): Promise<number> {
  for (let last = -1; ; ) {
    const count = await countRows(db, dataset);
    if (count === last) return count;
    last = count;
    await sleep(100);
  }
}

export async function countRows(db: Db, { packages }: Packages): Promise<number> {
  const { rows } = await db.query<{ movements: number }>(
    'select sum(sequence)::float8 as movements from ledger_heads where package_id = any ($1)',
    [packages.map((each) => each.id)],
  );
  return rows[0]?.movements ?? 0;
}

/** Throws if a ledger of the dataset fails verification, because the measurement is then void. */
export async function proveDataset(db: Db, { packages }: Packages): Promise<void> {
  const progress = openProgress(process.stderr);
  for (const { id } of packages) {
    const onProgress = (rows: bigint) => progress.show({ part: undefined, rows: Number(rows) });
    const proof = await verifyLedger(db, id, { onProgress });
    if (isClean(proof)) continue;
    const flaws = proof.flaws.map((flaw) => flaw.problem).slice(0, 3);
    throw new Error(`the run is void, because the ledger has flaws: ${flaws}`);
  }
  progress.finish();
}

const chunk = 5000;

/** Counts the given refused requests that are in the journal. The service is correct if there are none. */
export async function countApplied(
  db: Db,
  { packages }: Packages,
  requests: { tag: string; numbers: readonly number[] },
): Promise<number> {
  let applied = 0;
  for (let from = 0; from < requests.numbers.length; from += chunk) {
    const hashes = requests.numbers
      .slice(from, from + chunk)
      .map((n) => hashId('caller', nameRequest(requests.tag, n)));
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::float8 as count from journal
       where package_id = any ($1) and id_hash = any ($2::uuid[])`,
      [packages.map((each) => each.id), hashes],
    );
    applied += rows[0]?.count ?? 0;
  }
  return applied;
}
