// What user/balance says of a player: told with the batch that is next, or by the database.
import { fail } from '../errors.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import type { AccountFinder } from './find-account.ts';
import type { StatusFinder } from './find-status.ts';
import type { GetBalance } from './get-balance.ts';

export interface TellPlayerDeps {
  readonly ledger: Pick<Ledger, 'readBalance'>;
  readonly accounts: Pick<AccountFinder, 'peek'>;
  readonly statuses: Pick<StatusFinder, 'find'>;
  readonly getBalance: GetBalance;
}

export function createPlayerTeller(deps: TellPlayerDeps): GetBalance {
  const { ledger, accounts, statuses, getBalance } = deps;
  return async (packageId, playerId) => {
    const account = accounts.peek(packageId, playerId);
    const told = account !== undefined && (await ledger.readBalance(packageId, account));
    if (!told) return getBalance(packageId, playerId);
    // Not before: the balance is told only where what is remembered of the player is not older.
    const status = await statuses.find(packageId, playerId);
    if (!status) throw fail('player_not_found');
    const { balance, updatedAt, credit } = told;
    return { player: { playerId, status, balance, updatedAt }, credit };
  };
}
