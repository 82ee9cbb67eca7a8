// Rows of `admin_tokens`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { AdminToken } from './admin-token.ts';

interface Row {
  id: bigint;
  name: string;
  hint: string;
  created_by: bigint | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const fields = 'id, name, hint, created_by, created_at, expires_at, revoked_at, last_used_at';

const fromRow = (row: Row): AdminToken => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdBy: row.created_by ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
});

export async function insertTokenRow(
  tx: Tx,
  row: {
    name: string;
    tokenHash: Buffer;
    hint: string;
    createdBy: bigint | undefined;
    expiresAt: Date | undefined;
    at: Date;
  },
): Promise<bigint> {
  const { name, tokenHash, hint, createdBy, expiresAt, at } = row;
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into admin_tokens (name, token_hash, hint, created_by, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [name, tokenHash, hint, createdBy ?? null, expiresAt ?? null, at],
  );
  if (!rows[0]) throw new Error('an insert returned no row');
  return rows[0].id;
}

export async function selectTokenByHash(
  db: Queryable,
  tokenHash: Buffer,
): Promise<AdminToken | undefined> {
  const { rows } = await db.query<Row>({
    name: 'select_admin_token',
    text: `select ${fields} from admin_tokens where token_hash = $1`,
    values: [tokenHash],
  });
  return rows[0] && fromRow(rows[0]);
}

/** Live ones first, then the latest of those that ended. */
export async function selectTokens(
  db: Queryable,
  wanted: { now: Date; limit: number },
): Promise<AdminToken[]> {
  const { rows } = await db.query<Row>(
    `select ${fields} from admin_tokens
     order by revoked_at is null and (expires_at is null or expires_at > $1) desc, id desc limit $2`,
    [wanted.now, wanted.limit],
  );
  return rows.map(fromRow);
}

export async function countLiveTokens(tx: Tx, now: Date): Promise<number> {
  const { rows } = await tx.query<{ live: number }>(
    `select count(*)::int as live from admin_tokens
     where revoked_at is null and (expires_at is null or expires_at > $1)`,
    [now],
  );
  return rows[0]?.live ?? 0;
}

export async function lockToken(tx: Tx, id: bigint): Promise<AdminToken | undefined> {
  const { rows } = await tx.query<Row>(
    `select ${fields} from admin_tokens where id = $1 for update`,
    [id],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function saveTokenRevoked(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.query('update admin_tokens set revoked_at = $2 where id = $1', [id, at]);
}

export async function saveTokenUsed(
  db: Queryable,
  used: { id: bigint; at: Date; unlessUsedSince: Date },
): Promise<void> {
  await db.query(
    `update admin_tokens set last_used_at = $2
     where id = $1 and (last_used_at is null or last_used_at <= $3)`,
    [used.id, used.at, used.unlessUsedSince],
  );
}
