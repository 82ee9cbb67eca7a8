// Reads and writes `sessions`. A row is found by the hash of its token, or listed for its person.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { AliveAt, ListedSession, Session } from '../sessions/session.ts';

type FoundSession = Omit<Session, 'memberships'> & { lastSeenAt: Date };

export const findSessionByHash = (
  db: Queryable,
  tokenHash: Buffer,
  at: AliveAt,
): Promise<FoundSession | undefined> =>
  queryRow(
    db,
    `select s.id, s.person_id, s.last_seen_at, p.email, p.name,
       p.totp_confirmed_at is not null as second_factor,
       cardinality(p.recovery_code_hashes) as recovery_codes_left
     from sessions s join people p on p.id = s.person_id
     where s.token_hash = $1 and s.expires_at > $2 and s.last_seen_at > $3
       and p.disabled_at is null`,
    [tokenHash, at.now, at.idleSince],
  );

export async function insertSession(
  tx: Tx,
  session: {
    tokenHash: Buffer;
    personId: bigint;
    at: Date;
    expiresAt: Date;
    address: string;
    userAgent: string;
  },
): Promise<void> {
  await tx.query(
    `insert into sessions
       (token_hash, person_id, created_at, last_seen_at, expires_at, address, user_agent)
     values ($1, $2, $3, $3, $4, $5, $6)`,
    [session.tokenHash, session.personId, session.at, session.expiresAt, session.address, session.userAgent],
  );
}

export async function saveLastSeen(
  db: Queryable,
  seen: { id: bigint; at: Date; unlessSeenSince: Date },
): Promise<void> {
  await db.query('update sessions set last_seen_at = $2 where id = $1 and last_seen_at <= $3', [
    seen.id,
    seen.at,
    seen.unlessSeenSince,
  ]);
}

export const listSessionsOf = (db: Queryable, personId: bigint, at: AliveAt): Promise<ListedSession[]> =>
  queryRows(
    db,
    `select id, created_at, last_seen_at, expires_at, address, user_agent
     from sessions where person_id = $1 and expires_at > $2 and last_seen_at > $3
     order by last_seen_at desc, id desc`,
    [personId, at.now, at.idleSince],
  );

/** Deletes a session and returns its person, or undefined if there is no such session. */
export async function deleteSessionByHash(tx: Tx, tokenHash: Buffer): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ person_id: bigint }>(
    'delete from sessions where token_hash = $1 returning person_id',
    [tokenHash],
  );
  return rows[0]?.person_id;
}

export async function deleteSessionOf(tx: Tx, session: { id: bigint; personId: bigint }): Promise<boolean> {
  const { rowCount } = await tx.query('delete from sessions where id = $1 and person_id = $2', [
    session.id,
    session.personId,
  ]);
  return rowCount === 1;
}

export async function deleteSessionsOf(tx: Tx, personId: bigint): Promise<void> {
  await tx.query('delete from sessions where person_id = $1', [personId]);
}

/**
 * Deletes expired and idle sessions of a person. Also deletes all other sessions except the `keep` most
 * recently used sessions.
 */
export async function deleteExcessSessions(
  tx: Tx,
  personId: bigint,
  options: { at: AliveAt; keep: number },
): Promise<void> {
  await tx.query(
    `delete from sessions where person_id = $1 and (expires_at <= $2 or last_seen_at <= $3
       or id not in (select id from sessions where person_id = $1
                     order by last_seen_at desc, id desc limit $4))`,
    [personId, options.at.now, options.at.idleSince, options.keep],
  );
}
