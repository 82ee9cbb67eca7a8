// Writes and locks rows of `admin_tokens`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { AdminToken } from './admin-token.ts';
import { fields } from './queries.ts';

export async function insertTokenRow(
  tx: Tx,
  row: Pick<AdminToken, 'name' | 'hint' | 'createdBy' | 'expiresAt'> & { tokenHash: Buffer; at: Date },
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

export const lockToken = (tx: Tx, id: bigint) =>
  queryRow<AdminToken>(tx, `select ${fields} from admin_tokens where id = $1 for update`, [id]);

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
