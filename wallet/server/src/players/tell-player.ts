// What user/balance says of a player: told with the batch that is next, or by the database.
import type { Ledger } from '../ledger/ledger.ts';
import type { AccountFinder } from './find-account.ts';
import type { StatusFinder } from './find-status.ts';
import type { GetBalance } from './get-balance.ts';

export interface TellPlayerDeps {
  readonly ledger: Pick<Ledger, 'tellBalance'>;
  readonly accounts: Pick<AccountFinder, 'peek'>;
  readonly statuses: Pick<StatusFinder, 'find'>;
  readonly getBalance: GetBalance;
}

export function createPlayerTeller(deps: TellPlayerDeps): GetBalance {
  const { ledger, accounts, statuses, getBalance } = deps;
  return async (packageId, playerId) => {
    const account = accounts.peek(packageId, playerId);
    const telling = account !== undefined && ledger.tellBalance(packageId, account);
    if (telling) {
      const [told, status] = await Promise.all([telling, statuses.find(packageId, playerId)]);
      if (told && status) {
        const { balance, updatedAt, credit } = told;
        return { player: { playerId, status, balance, updatedAt }, credit };
      }
    }
    return getBalance(packageId, playerId);
  };
}
