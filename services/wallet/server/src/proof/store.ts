// Reads whole ledgers for a proof, page by page.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { type JournalPageRow, listJournalPage } from '../ledger/queries.ts';
import type { LedgerName } from './find-ledgers.ts';
import type { presentProof } from './proof.ts';

/** Few enough that the service, should it be the one to prove, is not held up by a page. */
const pageRows = 1000;

export async function* readJournal(
  tx: Tx,
  packageId: number,
): AsyncGenerator<readonly JournalPageRow[]> {
  const ask = (after: bigint) => listJournalPage(tx, { packageId, after, limit: pageRows });
  let next = ask(0n);
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    // The database reads the next page while this one is worked on.
    next = ask(last.movement.sequence);
    next.catch(() => {});
    yield page;
  }
}

export async function selectAccountPage(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<{ id: bigint; balance: bigint; last_sequence: bigint }[]> {
  const { rows } = await db.query<{ id: bigint; balance: bigint; last_sequence: bigint }>(
    `select id, balance, last_sequence from accounts
     where package_id = $1 and id > $2 order by id limit $3`,
    [wanted.packageId, wanted.after, wanted.limit],
  );
  return rows;
}

export async function selectHeadRow(
  db: Queryable,
  packageId: number,
): Promise<{ sequence: bigint; hash: Buffer } | undefined> {
  const { rows } = await db.query<{ sequence: bigint; hash: Buffer }>(
    'select sequence, hash from ledger_heads where package_id = $1',
    [packageId],
  );
  return rows[0];
}

export async function selectLedgers(db: Queryable, uid?: string): Promise<LedgerName[]> {
  const { rows } = await db.query<LedgerName>(
    `select p.id, p.uid, p.name, p.currency, coalesce(h.sequence, 0::bigint) as movements
     from packages p left join ledger_heads h on h.package_id = p.id
     where $1::text is null or p.uid = $1 order by p.id`,
    [uid ?? null],
  );
  return rows;
}

export async function selectTimeAt(
  db: Queryable,
  packageId: number,
  sequence: bigint,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from journal where package_id = $1 and sequence = $2',
    [packageId, sequence],
  );
  return rows[0]?.created_at;
}

export async function selectHashAt(
  db: Queryable,
  packageId: number,
  sequence: bigint,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ hash: Buffer }>(
    'select hash from journal where package_id = $1 and sequence = $2',
    [packageId, sequence],
  );
  return rows[0]?.hash;
}

export interface StoredProof {
  readonly finishedAt: Date;
  readonly result: ReturnType<typeof presentProof>;
}

export async function saveProof(
  db: Queryable,
  proof: StoredProof & { packageId: number },
): Promise<void> {
  await db.query(
    `insert into ledger_proofs (package_id, finished_at, result) values ($1, $2, $3)
     on conflict (package_id)
     do update set finished_at = excluded.finished_at, result = excluded.result`,
    [proof.packageId, proof.finishedAt, JSON.stringify(proof.result)],
  );
}

export async function selectProof(
  db: Queryable,
  packageId: number,
): Promise<StoredProof | undefined> {
  const { rows } = await db.query<{ finished_at: Date; result: StoredProof['result'] }>(
    'select finished_at, result from ledger_proofs where package_id = $1',
    [packageId],
  );
  return rows[0] && { finishedAt: rows[0].finished_at, result: rows[0].result };
}

export interface ListedProof extends StoredProof {
  readonly packageId: number;
}

/** Of the packages that are named; those never proved are left out. */
export async function selectProofs(
  db: Queryable,
  packageIds: readonly number[],
): Promise<ListedProof[]> {
  const { rows } = await db.query<{
    package_id: number;
    finished_at: Date;
    result: StoredProof['result'];
  }>(
    'select package_id, finished_at, result from ledger_proofs where package_id = any ($1::int[])',
    [packageIds],
  );
  return rows.map((row) => ({
    packageId: row.package_id,
    finishedAt: row.finished_at,
    result: row.result,
  }));
}
