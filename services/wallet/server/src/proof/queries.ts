// Reads ledgers for a proof, and the proofs that were made.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { type JournalEntry, listJournalPage } from '../ledger/queries.ts';
import { makeGenesisHash } from '../ledger/rules/chain.ts';
import type { AccountState } from '../ledger/rules/state.ts';
import { withDecimals } from '../packages/queries.ts';
import type { presentProof } from './proof.ts';

/** The number of rows in one page. A page of this size does not block the service in which the proof runs. */
const pageRows = 1000;

export async function* readJournal(tx: Tx, packageId: number): AsyncGenerator<readonly JournalEntry[]> {
  const ask = (after: bigint) => listJournalPage(tx, { packageId, after, limit: pageRows });
  let next = ask(0n);
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    // The next page is requested now, so that the database reads it while the caller processes this page.
    next = ask(last.movement.sequence);
    next.catch(() => {});
    yield page;
  }
}

export const listAccountPage = (db: Queryable, wanted: { packageId: number; after: bigint; limit: number }) =>
  queryRows<AccountState & { id: bigint }>(
    db,
    `select id, balance, last_sequence from accounts
     where package_id = $1 and id > $2 order by id limit $3`,
    [wanted.packageId, wanted.after, wanted.limit],
  );

export const findHeadRow = (db: Queryable, packageId: number) =>
  queryRow<{ sequence: bigint; hash: Buffer }>(
    db,
    'select sequence, hash from ledger_heads where package_id = $1',
    [packageId],
  );

export interface LedgerName {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly currency: string;
  readonly decimals: number;
  readonly movements: bigint;
}

/** All ledgers, or only the ledger of the package with this UID or number. */
export async function findLedgers(db: Queryable, name?: string): Promise<LedgerName[]> {
  const found = await queryRows<Omit<LedgerName, 'decimals'> & { decimals: number | undefined }>(
    db,
    `select p.id, p.uid, p.name, p.currency, p.decimals, coalesce(h.sequence, 0::bigint) as movements
     from packages p left join ledger_heads h on h.package_id = p.id
     where $1::text is null or p.uid = $1 or p.id::text = $1 order by p.id`,
    [name ?? null],
  );
  return found.map(withDecimals);
}

const findRow = (db: Queryable, packageId: number, sequence: bigint) =>
  queryRow<{ createdAt: Date; hash: Buffer }>(
    db,
    'select created_at, hash from journal where package_id = $1 and sequence = $2',
    [packageId, sequence],
  );

/** The hash of a row, or the first hash of the chain for the sequence 0. */
export async function findHashAt(
  db: Queryable,
  packageId: number,
  sequence: bigint,
): Promise<Buffer | undefined> {
  if (sequence === 0n) return makeGenesisHash(packageId);
  return (await findRow(db, packageId, sequence))?.hash;
}

export interface StoredProof {
  readonly finishedAt: Date;
  readonly result: ReturnType<typeof presentProof>;
}

export const findProof = (db: Queryable, packageId: number) =>
  queryRow<StoredProof>(db, 'select finished_at, result from ledger_proofs where package_id = $1', [
    packageId,
  ]);

/** The last proof of each package, by package id. Packages that were never proved are left out. */
export async function listProofs(
  db: Queryable,
  packageIds: readonly number[],
): Promise<ReadonlyMap<number, StoredProof>> {
  const rows = await queryRows<StoredProof & { packageId: number }>(
    db,
    'select package_id, finished_at, result from ledger_proofs where package_id = any ($1::int[])',
    [packageIds],
  );
  return new Map(rows.map((row) => [row.packageId, row]));
}

/**
 * The sequence of the first movement at or after the moment. If there is none, the result is the last
 * sequence plus one. Times are not always in order, because the clocks of several processes may disagree. The
 * search steps by powers of two from the first row, so rows that are added later do not change its result. A
 * moment therefore always has the same sequence. If an export begins at the moment at which the export before
 * it ended, no row is missing and no row is in both exports.
 */
export async function findFirstSequence(db: Queryable, packageId: number, moment: Date): Promise<bigint> {
  const head = await findHeadRow(db, packageId);
  if (!head) throw new PlainError('The ledger has no head. Run verify to check the ledger.');
  let before = 0n;
  for (let step = 1n << BigInt(head.sequence.toString(2).length); step > 0n; step >>= 1n) {
    if (before + step > head.sequence) continue;
    const row = await findRow(db, packageId, before + step);
    if (row && row.createdAt < moment) before += step;
  }
  return before + 1n;
}

export interface Progress {
  readonly movements: number;
  readonly of: number;
}

export async function findProgress(
  db: Queryable,
  wanted: { packageId: number; at: Date },
): Promise<Progress | undefined> {
  const { rows } = await db.query<{ movements: bigint; total: bigint }>(
    'select movements, total from proofs_under_way where package_id = $1 and until > $2',
    [wanted.packageId, wanted.at],
  );
  return rows[0] && { movements: Number(rows[0].movements), of: Number(rows[0].total) };
}
