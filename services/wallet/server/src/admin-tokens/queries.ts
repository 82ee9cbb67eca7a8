// Reads the tokens of the platform.

import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { AdminToken } from './admin-token.ts';

export const fields = 'id, name, hint, created_by, created_at, expires_at, revoked_at, last_used_at';

export const findTokenByHash = (db: Queryable, tokenHash: Buffer) =>
  queryRow<AdminToken>(db, {
    name: 'select_admin_token',
    text: `select ${fields} from admin_tokens where token_hash = $1`,
    values: [tokenHash],
  });

/**
 * The list has room for all live tokens and the most recently ended tokens. The audit log names every token.
 */
const maxListed = 200;

/** Lists the tokens, live tokens first. */
export const listAdminTokens = (db: Queryable, now: Date) =>
  queryRows<AdminToken>(
    db,
    `select ${fields} from admin_tokens
     order by revoked_at is null and (expires_at is null or expires_at > $1) desc, id desc limit $2`,
    [now, maxListed],
  );

export async function countLiveTokens(tx: Tx, now: Date): Promise<number> {
  const { rows } = await tx.query<{ live: number }>(
    `select count(*)::int as live from admin_tokens
     where revoked_at is null and (expires_at is null or expires_at > $1)`,
    [now],
  );
  return rows[0]?.live ?? 0;
}
