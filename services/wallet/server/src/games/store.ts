// Writes rows of `game_sessions`, `catalogue_copies` and `connection_catalogues`: the last good lists.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { CatalogueSource } from '../upstream/upstream.ts';
import type { LaunchMode, LaunchSource } from './game-session.ts';
import type { ConnectionCopyKey, SessionKey, StoredCopy } from './queries.ts';

export async function insertSession(
  db: Queryable,
  session: SessionKey & {
    accountId: bigint;
    gameId: string;
    mode: LaunchMode;
    createdAt: Date;
    expiresAt: Date;
    connectionId?: string | undefined;
  },
): Promise<void> {
  await db.query({
    name: 'insert_game_session',
    text: `insert into game_sessions
             (package_id, id, account_id, game_id, mode, created_at, expires_at, connection_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      session.packageId,
      session.sessionId,
      session.accountId,
      session.gameId,
      session.mode,
      session.createdAt,
      session.expiresAt,
      session.connectionId ?? null,
    ],
  });
}

/** Saves the result of the launch. If no source launched the game, the session ends. */
export async function saveLaunch(
  db: Queryable,
  key: SessionKey,
  launch: { source: LaunchSource | undefined; privateFailure: string | undefined; at: Date },
): Promise<void> {
  const { source, privateFailure, at } = launch;
  await db.query({
    name: 'save_game_launch',
    text: `update game_sessions set source = $3, private_failure = $4,
             ended_at = case when $3::text is null then $5::timestamptz else ended_at end
           where package_id = $1 and id = $2`,
    values: [key.packageId, key.sessionId, source ?? null, privateFailure ?? null, at],
  });
}

/** Ends a session. A session that has ended already is not changed. */
export async function saveSessionEnd(db: Queryable, key: SessionKey, at: Date): Promise<void> {
  await db.query(
    `update game_sessions set ended_at = $3
     where package_id = $1 and id = $2 and ended_at is null`,
    [key.packageId, key.sessionId, at],
  );
}

/** Ends a session because the player continues in a new session. */
export async function saveSessionReplaced(tx: Tx, key: SessionKey, at: Date): Promise<void> {
  await tx.query(
    `update game_sessions set ended_at = coalesce(ended_at, $3), replaced_at = $3
     where package_id = $1 and id = $2`,
    [key.packageId, key.sessionId, at],
  );
}

/**
 * Stores the copy and clears the size that an administrator accepted. The size is no longer needed: other
 * processes accept the list because its copy is stored.
 */
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

/** Stores only the time at which a list was confirmed, because its content has not changed. */
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

type ConnectionCopy = Omit<StoredCopy, 'source'>;

export async function saveConnectionCopy(
  db: Queryable,
  { packageId, connectionId, upstreamUrl }: ConnectionCopyKey,
  { takenAt, hash, total, body }: ConnectionCopy,
): Promise<void> {
  await db.query(
    `insert into connection_catalogues (package_id, connection_id, upstream_url, taken_at, body_hash,
       total, body)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (package_id, connection_id) do update set upstream_url = excluded.upstream_url,
       taken_at = excluded.taken_at, body_hash = excluded.body_hash, total = excluded.total,
       body = excluded.body`,
    [packageId, connectionId, upstreamUrl, takenAt, hash, total, body],
  );
}

export async function saveConnectionTakenAt(
  db: Queryable,
  { packageId, connectionId }: ConnectionCopyKey,
  { takenAt, hash }: Pick<ConnectionCopy, 'takenAt' | 'hash'>,
): Promise<void> {
  await db.query(
    `update connection_catalogues set taken_at = $3
     where package_id = $1 and connection_id = $2 and body_hash = $4 and taken_at < $3`,
    [packageId, connectionId, takenAt, hash],
  );
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
