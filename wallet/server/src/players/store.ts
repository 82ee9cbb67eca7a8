// Rows of `players`, with the balance that the ledger keeps for them.
import type { Queryable, Tx } from '@counterfoil/kit/db';
import type { PlayerBalance, PlayerStatus } from './player.ts';

interface BalanceRow {
  player_id: string;
  status: PlayerStatus;
  balance: bigint;
  updated_at: Date;
  credit: bigint;
}

/** The player's balance and the package's credit of the same moment, in one round trip. */
export async function selectPlayerBalance(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<{ player: PlayerBalance; credit: bigint } | undefined> {
  const { rows } = await db.query<BalanceRow>({
    name: 'select_player_balance',
    text: `select p.player_id, p.status, a.balance, a.updated_at, c.balance as credit
           from players p
           join accounts a on a.package_id = $1 and a.id = p.account_id
           join accounts c on c.package_id = $1 and c.id = 1
           where p.package_id = $1 and p.player_id = $2`,
    values: [packageId, playerId],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    player: {
      playerId: row.player_id,
      status: row.status,
      balance: row.balance,
      updatedAt: row.updated_at,
    },
    credit: row.credit,
  };
}

export async function insertPlayerRow(
  tx: Tx,
  row: {
    packageId: number;
    accountId: bigint;
    playerId: string;
    name: string;
    status: PlayerStatus;
  },
): Promise<void> {
  await tx.query(
    `insert into players (package_id, account_id, player_id, name, status)
     values ($1, $2, $3, $4, $5)`,
    [row.packageId, row.accountId, row.playerId, row.name, row.status],
  );
}
