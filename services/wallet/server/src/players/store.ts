// Writes rows of `players`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Player, PlayerStatus } from './player.ts';

export async function insertPlayerRow(tx: Tx, row: Player & { metadata: unknown }): Promise<void> {
  await tx.query(
    `insert into players (package_id, account_id, player_id, name, metadata, status, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.packageId,
      row.accountId,
      row.playerId,
      row.name,
      row.metadata === undefined ? null : JSON.stringify(row.metadata),
      row.status,
      row.createdAt,
    ],
  );
}

export async function saveStatus(
  db: Queryable,
  change: { packageId: number; playerId: string; status: PlayerStatus },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update players set status = $3 where package_id = $1 and player_id = $2',
    [change.packageId, change.playerId, change.status],
  );
  return rowCount === 1;
}

/** Saves a player's maximum stake. Returns the previous limit; undefined if the player does not exist. */
export async function saveMaxStake(
  tx: Tx,
  change: { packageId: number; playerId: string; maxStake: bigint | undefined },
): Promise<{ before: bigint | undefined } | undefined> {
  const { rows } = await tx.query<{ before: bigint | null }>(
    `update players p set max_stake = $3
     from (select account_id, max_stake from players
       where package_id = $1 and player_id = $2 for update) as o
     where p.package_id = $1 and p.account_id = o.account_id returning o.max_stake as before`,
    [change.packageId, change.playerId, change.maxStake ?? null],
  );
  return rows[0] && { before: rows[0].before ?? undefined };
}

/**
 * Overwrites the personal data of a player and blocks the player. The player id is overwritten too, because
 * it may be a name or an e-mail address. The new id is random, so that it cannot equal another player's id.
 */
export async function overwritePlayer(
  tx: Tx,
  key: { packageId: number; accountId: bigint },
): Promise<string> {
  const { rows } = await tx.query<{ player_id: string }>(
    `update players set name = '', metadata = null, status = 'blocked',
       player_id = 'erased-' || gen_random_uuid()
     where package_id = $1 and account_id = $2 returning player_id`,
    [key.packageId, key.accountId],
  );
  if (!rows[0]) throw new Error('a player without a row cannot be erased');
  return rows[0].player_id;
}
