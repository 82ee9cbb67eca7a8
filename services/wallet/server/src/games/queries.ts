// Reads game sessions and the stored copies of catalogues.

import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { CatalogueSource } from '../upstream/upstream.ts';
import type { GameSession, LaunchMode, ListedSession } from './game-session.ts';

export interface SessionKey {
  readonly packageId: number;
  readonly sessionId: string;
}

/**
 * Finds sessions by id. PostgreSQL may have made the plan while the table was small. The lateral join makes
 * this plan look up each id in the index.
 */
export async function findSessions(
  db: Queryable,
  wanted: { packageId: number; sessionIds: readonly string[] },
): Promise<Map<string, GameSession>> {
  const { rows } = await db.query<SessionRow>({
    name: 'select_game_sessions',
    text: `select s.id, s.account_id, s.game_id, s.mode, s.expires_at, s.ended_at,
             s.connection_id, s.replaced_at
           from unnest($2::text[]) as k (id)
           cross join lateral (select * from game_sessions s
             where s.package_id = $1 and s.id = k.id limit 1) as s`,
    values: [wanted.packageId, wanted.sessionIds],
  });
  return new Map(rows.map((row) => [row.id, readSession(row)]));
}

interface SessionRow {
  readonly id: string;
  readonly account_id: bigint;
  readonly game_id: string;
  readonly mode: LaunchMode;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly connection_id: string | null;
  readonly replaced_at: Date | null;
}

/** Reads a row without `fromRow`, because this function runs for every bet of some provider connections. */
const readSession = (row: SessionRow): GameSession => ({
  accountId: row.account_id,
  gameId: row.game_id,
  mode: row.mode,
  expiresAt: row.expires_at,
  endedAt: row.ended_at ?? undefined,
  connectionId: row.connection_id ?? undefined,
  replacedAt: row.replaced_at ?? undefined,
});

const listed = `select s.id as session_id, s.number, s.account_id, p.player_id, s.game_id, s.mode, s.source,
    s.private_failure, s.created_at, s.expires_at, s.ended_at, s.connection_id,
    s.replaced_at
  from game_sessions s
  join players p on p.package_id = s.package_id and p.account_id = s.account_id`;

export async function findListedSession(db: Queryable, key: SessionKey): Promise<ListedSession | undefined> {
  const { rows } = await db.query(`${listed} where s.package_id = $1 and s.id = $2`, [
    key.packageId,
    key.sessionId,
  ]);
  return rows[0] && fromRow<ListedSession>(rows[0]);
}

/** Lists the sessions whose number is below `before`, newest first. */
export async function listSessions(
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<ListedSession[]> {
  const { rows } = await db.query(
    `${listed} where s.package_id = $1 and ($2::bigint is null or s.number < $2)
     order by s.number desc limit $3`,
    [wanted.packageId, wanted.before ?? null, wanted.limit],
  );
  return rows.map(fromRow<ListedSession>);
}

export interface StoredCopy {
  readonly source: CatalogueSource;
  readonly takenAt: Date;
  readonly hash: Buffer;
  readonly total: number;
  readonly body: Buffer;
}

export async function listCopies(db: Queryable): Promise<Omit<StoredCopy, 'total'>[]> {
  const { rows } = await db.query(
    `select source, taken_at, body_hash as hash, body from catalogue_copies where body is not null`,
  );
  return rows.map(fromRow<Omit<StoredCopy, 'total'>>);
}

/** The connection whose list is stored, and the address that the list came from. */
export interface ConnectionCopyKey {
  readonly packageId: number;
  readonly connectionId: string;
  readonly upstreamUrl: string;
}

/** Finds the stored copy; undefined if there is no copy, or if the copy was loaded from a different URL. */
export async function findConnectionCopy(
  db: Queryable,
  { packageId, connectionId, upstreamUrl }: ConnectionCopyKey,
): Promise<Omit<StoredCopy, 'source'> | undefined> {
  const { rows } = await db.query(
    `select taken_at, body_hash as hash, total, body from connection_catalogues
     where package_id = $1 and connection_id = $2 and upstream_url = $3`,
    [packageId, connectionId, upstreamUrl],
  );
  return rows[0] && fromRow<Omit<StoredCopy, 'source'>>(rows[0]);
}

/** The stored copies of the catalogues of a package's connections, without the lists of games. */
export async function listConnectionCopies(
  db: Queryable,
  packageId: number,
): Promise<(Omit<ConnectionCopyKey, 'packageId'> & Pick<StoredCopy, 'takenAt' | 'total'>)[]> {
  const { rows } = await db.query(
    'select connection_id, upstream_url, taken_at, total from connection_catalogues where package_id = $1',
    [packageId],
  );
  return rows.map(fromRow<Awaited<ReturnType<typeof listConnectionCopies>>[number]>);
}

/** The size of a copy that another process stored after `ownTakenAt`. */
export async function findNewerTotal(
  db: Queryable,
  { packageId, connectionId, upstreamUrl }: ConnectionCopyKey,
  ownTakenAt: Date | undefined,
): Promise<number | undefined> {
  const { rows } = await db.query<{ total: number }>(
    `select total from connection_catalogues
     where package_id = $1 and connection_id = $2 and upstream_url = $3 and taken_at > $4`,
    [packageId, connectionId, upstreamUrl, ownTakenAt ?? null],
  );
  return rows[0]?.total;
}

/**
 * Returns the minimum number of games with which a shrunk list is accepted. This is the number that an
 * administrator accepted, or the number of games in a newer copy that another process stored. If both exist,
 * the smaller number is returned. If neither exists, the result is undefined.
 */
export async function findAcceptedTotal(
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
