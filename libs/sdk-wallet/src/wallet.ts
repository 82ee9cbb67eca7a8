// The client of the wallet service: one method per operation, each with time limits and retries.
import { checkAmount } from '../../sdk-shared/src/amount.ts';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  createSend,
  type Send,
} from '../../sdk-shared/src/call.ts';
import { createResolve } from './resolve.ts';
import type * as wire from './wire.ts';
import { amountFields } from './wire.ts';

const api = '/api/v1';

export interface WalletOptions extends ClientOptions {
  readonly uid: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * A change of a balance. If `transaction_id` is omitted, the client generates it. The answer contains it, and
 * so does every error except the refusal of an invalid amount.
 */
export type BalanceUpdate = Omit<wire.UpdateBalanceBody, 'transaction_id'> & {
  readonly transaction_id?: string;
};

export type Wallet = ReturnType<typeof createWallet>;

/** Creates a client. Use the client only on servers, because anybody who has the secret can move money. */
export function createWallet(options: WalletOptions) {
  const { uid, apiKey, apiSecret } = options;
  const keys = { 'x-uid': uid, 'x-api-key': apiKey, 'x-api-secret': apiSecret };
  const send = createSend(options, keys, amountFields);
  const updateBalance = createUpdateBalance(send);
  const move =
    (type: BalanceUpdate['type']) => (update: Omit<BalanceUpdate, 'type'>, callOptions?: CallOptions) =>
      updateBalance({ ...update, type }, callOptions);
  return {
    ...createReads(send),
    ...createWrites(send),
    updateBalance,
    credit: move('credit'),
    debit: move('debit'),
  };
}

/**
 * Changes a balance. The service applies each transaction id once, so the call is retried if its outcome is
 * unknown.
 */
const createUpdateBalance =
  (send: Send) =>
  async (update: BalanceUpdate, options?: CallOptions): Promise<wire.UpdateBalanceAnswer> => {
    checkAmount('amount', update.amount);
    const transactionId = update.transaction_id ?? crypto.randomUUID();
    const json = { ...update, transaction_id: transactionId };
    const path = `${api}/user/update_balance`;
    return await send({ method: 'POST', path, json, repeatable: true, transactionId }, options);
  };

function createReads(send: Send) {
  const read =
    <Query extends object, Answer>(path: string) =>
    (query: Query, options?: CallOptions): Promise<Answer> =>
      send({ method: 'GET', path: api + path, query, repeatable: true }, options);
  /** Makes a method that reads a list. All parameters of the method are optional. */
  const list = <Query extends object, Answer>(path: string) => {
    const ask = read<Query, Answer>(path);
    return (query: Partial<Query> = {}, options?: CallOptions) => ask(query as Query, options);
  };
  const getTransaction = read<wire.GetTransactionQuery, wire.GetTransactionAnswer>('/user/transaction');
  return {
    getPackage: (options?: CallOptions) => read<object, wire.GetPackageAnswer>('/package')({}, options),
    getBalance: read<wire.GetBalanceQuery, wire.GetBalanceAnswer>('/user/balance'),
    listPlayers: list<wire.ListPlayersQuery, wire.ListPlayersAnswer>('/user/list'),
    listTransactions: read<wire.ListTransactionsQuery, wire.ListTransactionsAnswer>('/user/transactions'),
    getTransaction,
    /** Finds out whether a transaction was applied, after an error with `outcome: 'unknown'`. */
    resolve: createResolve(getTransaction),
    listGames: list<wire.ListGamesQuery, wire.ListGamesAnswer>('/game/list'),
    getRound: read<wire.GetRoundQuery, wire.GetRoundAnswer>('/round'),
    /**
     * Lists the movements of the package in their order, one page per call. Store `next_after` to continue
     * after the last movement.
     */
    listFeed: list<wire.ListFeedQuery, wire.ListFeedAnswer>('/feed'),
  };
}

function createWrites(send: Send) {
  const write =
    <Body, Answer>(path: string, { repeatable }: Pick<Call, 'repeatable'>) =>
    (json: Body, options?: CallOptions): Promise<Answer> =>
      send({ method: 'POST', path: api + path, json, repeatable }, options);
  const again = { repeatable: true };
  return {
    /**
     * Creates a player. A repeated call changes nothing and returns `created: false`, even if the first
     * answer was lost.
     */
    createPlayer: write<wire.CreatePlayerBody, wire.CreatePlayerAnswer>('/user/create', again),
    setPlayerStatus: write<wire.SetPlayerStatusBody, wire.SetPlayerStatusAnswer>('/user/status', again),
    /**
     * Launches a game. Every launch opens a new session. So the call is retried only if it is certain that
     * the failed attempt opened no session.
     */
    launchGame: write<wire.LaunchGameBody, wire.LaunchGameAnswer>('/game/launch', { repeatable: false }),
    endSession: write<wire.EndSessionBody, wire.EndSessionAnswer>('/game/session/end', again),
  };
}
