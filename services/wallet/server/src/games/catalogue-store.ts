// Rows of `catalogue_copies`: the last good list of each source, which outlives the process.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { CatalogueSource } from '../upstream/upstream.ts';

export interface StoredCopy {
  readonly source: CatalogueSource;
  readonly takenAt: Date;
  readonly hash: Buffer;
  readonly total: number;
  readonly body: Buffer;
}

export async function selectCopies(db: Queryable): Promise<Omit<StoredCopy, 'total'>[]> {
  const { rows } = await db.query<{
    source: CatalogueSource;
    taken_at: Date;
    body_hash: Buffer;
    body: Buffer;
  }>(`select source, taken_at, body_hash, body from catalogue_copies where body is not null`);
  return rows.map((row) => ({
    source: row.source,
    takenAt: row.taken_at,
    hash: row.body_hash,
    body: row.body,
  }));
}

/** What an administrator accepted is spent with it: for the other processes the copy itself speaks. */
export async function saveCopy(db: Queryable, copy: StoredCopy): Promise<void> {
  await db.query(
    `insert into catalogue_copies (source, taken_at, body_hash, total, body)
     values ($1, $2, $3, $4, $5)
     on conflict (source) do update set taken_at = excluded.taken_at,
       body_hash = excluded.body_hash, total = excluded.total, body = excluded.body,
       accepted_total = null`,
    [copy.source, copy.takenAt, copy.hash, copy.total, copy.body],
  );
}

/** The same bytes again: only the time is written. */
export async function saveTakenAt(
  db: Queryable,
  copy: Pick<StoredCopy, 'source' | 'takenAt' | 'hash'>,
): Promise<void> {
  await db.query(
    `update catalogue_copies set taken_at = $2
     where source = $1 and body_hash = $3 and taken_at < $2`,
    [copy.source, copy.takenAt, copy.hash],
  );
}

/** The size that an administrator accepted, or that another process took since our own copy. */
export async function selectAcceptedTotal(
  db: Queryable,
  asked: { source: CatalogueSource; ownTakenAt: Date | undefined },
): Promise<number | undefined> {
  const { rows } = await db.query<{ accepted: number | null }>(
    `select least(accepted_total, case when taken_at > $2::timestamptz then total end) as accepted
     from catalogue_copies where source = $1`,
    [asked.source, asked.ownTakenAt ?? null],
  );
  return rows[0]?.accepted ?? undefined;
}

export async function saveAcceptedTotal(
  tx: Tx,
  accepted: { source: CatalogueSource; total: number },
): Promise<void> {
  await tx.query(
    `insert into catalogue_copies (source, accepted_total) values ($1, $2)
     on conflict (source) do update set accepted_total = excluded.accepted_total`,
    [accepted.source, accepted.total],
  );
}
