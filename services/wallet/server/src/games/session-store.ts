// Rows of `game_sessions`.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { GameSession, LaunchMode, LaunchSource, ListedSession } from './game-session.ts';

interface SessionKey {
  readonly packageId: number;
  readonly sessionId: string;
}

interface SessionRow {
  account_id: bigint;
  game_id: string;
  mode: LaunchMode;
  expires_at: Date;
  ended_at: Date | null;
}

const fromRow = (row: SessionRow): GameSession => ({
  accountId: row.account_id,
  gameId: row.game_id,
  mode: row.mode,
  expiresAt: row.expires_at,
  endedAt: row.ended_at ?? undefined,
});

/** By id; lateral, so that a plan made on a small table holds for a large one. */
export async function selectSessionsById(
  db: Queryable,
  wanted: { packageId: number; sessionIds: readonly string[] },
): Promise<Map<string, GameSession>> {
  const { rows } = await db.query<SessionRow & { id: string }>({
    name: 'select_game_sessions',
    text: `select s.id, s.account_id, s.game_id, s.mode, s.expires_at, s.ended_at
           from unnest($2::text[]) as k (id)
           cross join lateral (select * from game_sessions s
             where s.package_id = $1 and s.id = k.id limit 1) as s`,
    values: [wanted.packageId, wanted.sessionIds],
  });
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

export async function insertSession(
  db: Queryable,
  session: SessionKey & {
    accountId: bigint;
    gameId: string;
    mode: LaunchMode;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query({
    name: 'insert_game_session',
    text: `insert into game_sessions
             (package_id, id, account_id, game_id, mode, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      session.packageId,
      session.sessionId,
      session.accountId,
      session.gameId,
      session.mode,
      session.createdAt,
      session.expiresAt,
    ],
  });
}

/** What became of the launch; without a source the session ends here. */
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

/** The first end counts; another changes nothing. */
export async function saveSessionEnd(db: Queryable, key: SessionKey, at: Date): Promise<void> {
  await db.query(
    `update game_sessions set ended_at = $3
     where package_id = $1 and id = $2 and ended_at is null`,
    [key.packageId, key.sessionId, at],
  );
}

interface ListedRow extends SessionRow {
  id: string;
  number: bigint;
  player_id: string;
  source: LaunchSource | null;
  private_failure: string | null;
  created_at: Date;
}

const listed = `select s.id, s.number, s.account_id, p.player_id, s.game_id, s.mode, s.source,
    s.private_failure, s.created_at, s.expires_at, s.ended_at
  from game_sessions s
  join players p on p.package_id = s.package_id and p.account_id = s.account_id`;

const fromListedRow = (row: ListedRow): ListedSession => ({
  ...fromRow(row),
  sessionId: row.id,
  number: row.number,
  playerId: row.player_id,
  source: row.source ?? undefined,
  privateFailure: row.private_failure ?? undefined,
  createdAt: row.created_at,
});

export async function selectListedSession(
  db: Queryable,
  key: SessionKey,
): Promise<ListedSession | undefined> {
  const { rows } = await db.query<ListedRow>(`${listed} where s.package_id = $1 and s.id = $2`, [
    key.packageId,
    key.sessionId,
  ]);
  return rows[0] && fromListedRow(rows[0]);
}

/** Newest first, from behind `before`. */
export async function selectSessions(
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<ListedSession[]> {
  const { rows } = await db.query<ListedRow>(
    `${listed} where s.package_id = $1 and ($2::bigint is null or s.number < $2)
     order by s.number desc limit $3`,
    [wanted.packageId, wanted.before ?? null, wanted.limit],
  );
  return rows.map(fromListedRow);
}
