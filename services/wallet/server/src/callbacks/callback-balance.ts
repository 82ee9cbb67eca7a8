// What a provider is told when it asks for a balance: with the batch that is next, or by the database.
import type { BalanceRead, Ledger } from '../ledger/engine/ledger.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { GetBalance } from '../players/get-balance.ts';

export interface TellDeps {
  readonly ledger: Pick<Ledger, 'readBalance'>;
  readonly accounts: Pick<AccountFinder, 'peek'>;
  readonly getBalance: GetBalance;
}

export async function tellBalance(
  deps: TellDeps,
  packageId: number,
  playerId: string,
): Promise<Pick<BalanceRead, 'balance' | 'credit'>> {
  const account = deps.accounts.peek(packageId, playerId);
  const told = account !== undefined && (await deps.ledger.readBalance(packageId, account));
  if (told) return { balance: told.balance, credit: told.credit };
  const { player, credit } = await deps.getBalance(packageId, playerId);
  return { balance: player.balance, credit };
}
