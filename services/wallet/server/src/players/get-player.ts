// The player behind a movement or an id.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';
import { selectPlayerByAccount } from './store.ts';

export async function getPlayerOfAccount(
  db: Queryable,
  packageId: number,
  movement: Movement,
): Promise<{ playerId: string }> {
  const { account } = getSubject(movement);
  const player = await selectPlayerByAccount(db, packageId, account);
  if (!player) throw new Error(`account ${account} has no player`);
  return player;
}
