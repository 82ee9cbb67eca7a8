// user/balance: reads and answers a player's balance, for the router and the fast path.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import { quoteText } from '@counterfoil/kit/http/read-json';
import type { Responder } from '@counterfoil/kit/http/responder';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import type { Refuse } from '../packages/credit/credit-now.ts';
import { writeCredit } from '../packages/credit-alert.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { AccountFinder } from './find-account.ts';
import type { StatusFinder } from './find-status.ts';
import { type FoundBalance, selectPlayerBalances } from './queries.ts';

export type GetBalance = (packageId: number, playerId: string) => Promise<FoundBalance>;

/**
 * Reads balances from the database, so that a caller always sees its last write. Reads of a package that
 * arrive during a query share the next query. That query starts after all of them have arrived.
 */
export function createBalanceReader(db: Queryable): GetBalance {
  const load = createCoalescer<string, FoundBalance>({
    maxBatch: 512,
    maxInFlight: 2,
    load: async (group, playerIds) => {
      const found = await selectPlayerBalances(db, Number(group), playerIds);
      return playerIds.map((playerId) => found.get(playerId));
    },
  });
  return async (packageId, playerId) => {
    const found = await load(String(packageId), playerId);
    if (!found) throw fail('player_not_found');
    return found;
  };
}

/** Reads a balance with the ledger's next batch if a batch is due. Otherwise reads it with `getBalance`. */
export function createBatchedBalanceReader(deps: {
  ledger: Pick<Ledger, 'readBalance'>;
  accounts: Pick<AccountFinder, 'peek'>;
  statuses: Pick<StatusFinder, 'find'>;
  getBalance: GetBalance;
}): GetBalance {
  const { ledger, accounts, statuses, getBalance } = deps;
  return async (packageId, playerId) => {
    const account = accounts.peek(packageId, playerId);
    const read = account !== undefined && (await ledger.readBalance(packageId, account));
    if (!read) return getBalance(packageId, playerId);
    // A batch serves a balance only while the cached statuses are current. So a status that is read after the
    // balance is current too.
    const standing = await statuses.find(packageId, playerId);
    if (!standing) throw fail('player_not_found');
    const { status } = standing;
    const { balance, updatedAt, credit } = read;
    return { player: { playerId, status, balance, updatedAt }, credit };
  };
}

export interface BalanceDeps {
  readonly getBalance: GetBalance;
  readonly refuse: Refuse;
  readonly answerWithinMs: number;
}

/** An authenticated request for a player's balance. */
export interface BalanceCall {
  readonly customerPackage: CustomerPackage;
  readonly playerId: string;
  readonly responder: Responder;
}

export function answerBalance(deps: BalanceDeps, call: BalanceCall): void {
  const { customerPackage, playerId, responder } = call;
  responder.answerBy(deps.answerWithinMs, () => fail('unavailable'));
  deps.getBalance(customerPackage.id, playerId).then(
    (found) => responder.send(writeAnswer(call, found)),
    async (error: unknown) => responder.fail(await deps.refuse(customerPackage, error)),
  );
}

/**
 * Writes the JSON that the router would write by the route's response schema. A test compares the two texts.
 */
function writeAnswer({ customerPackage, responder }: BalanceCall, { player, credit }: FoundBalance): string {
  const { currency } = customerPackage;
  return (
    `{"status":"success","data":{"player_id":${quoteText(player.playerId)},` +
    `"balance":${toJsonNumber(player.balance, customerPackage)},"currency":"${currency}",` +
    `"status":"${player.status}","updated_at":"${player.updatedAt.toISOString()}"},` +
    `${writeCredit(customerPackage, credit)},"request_id":"${responder.requestId}"}`
  );
}
