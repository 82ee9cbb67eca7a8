// Creates a player with an account at zero, once per player id.
import { type Db, isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import { openPlayerAccount } from '../ledger/accounts.ts';
import type { ListedPlayer, PlayerStatus } from './player.ts';
import { findPlayer } from './queries.ts';
import { insertPlayerRow } from './store.ts';

export interface NewPlayer {
  readonly packageId: number;
  readonly playerId: string;
  readonly name?: string;
  readonly metadata?: unknown;
  readonly status?: PlayerStatus;
}

/**
 * A repeat returns the existing player and changes nothing. `onCreated` runs in the transaction that creates
 * the player.
 */
export async function createPlayer(
  db: Db,
  wanted: NewPlayer,
  now: Date,
  onCreated?: (tx: Tx) => Promise<void>,
): Promise<{ player: ListedPlayer; created: boolean }> {
  const { packageId, playerId, name = '', metadata, status = 'active' } = wanted;
  const known = await findPlayer(db, { packageId, playerId });
  if (known) return { player: known, created: false };
  try {
    const player = await db.transaction(async (tx) => {
      const accountId = await openPlayerAccount(tx, packageId);
      const row = { packageId, accountId, playerId, name, status, createdAt: now };
      await insertPlayerRow(tx, { ...row, metadata });
      await onCreated?.(tx);
      return { ...row, balance: 0n };
    });
    return { player, created: true };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const other = await findPlayer(db, { packageId, playerId });
    if (!other) throw error;
    return { player: other, created: false };
  }
}
