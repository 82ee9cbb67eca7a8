// A player's account number where it is not asked for often.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { selectAccountsOfPlayers } from './store.ts';

export async function getAccount(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<bigint> {
  const { accounts } = await selectAccountsOfPlayers(db, packageId, [playerId]);
  const [account] = accounts;
  if (account === undefined) throw fail('player_not_found');
  return account.id;
}
