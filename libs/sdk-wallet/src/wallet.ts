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
import {
  amountFields,
  type CreatePlayerAnswer,
  type CreatePlayerBody,
  type EndSessionAnswer,
  type EndSessionBody,
  type GetBalanceAnswer,
  type GetBalanceQuery,
  type GetPackageAnswer,
  type GetRoundAnswer,
  type GetRoundQuery,
  type GetTransactionAnswer,
  type GetTransactionQuery,
  type LaunchGameAnswer,
  type LaunchGameBody,
  type ListFeedAnswer,
  type ListFeedQuery,
  type ListGamesAnswer,
  type ListGamesQuery,
  type ListPlayersAnswer,
  type ListPlayersQuery,
  type ListTransactionsAnswer,
  type ListTransactionsQuery,
  type SetPlayerStatusAnswer,
  type SetPlayerStatusBody,
  type UpdateBalanceAnswer,
  type UpdateBalanceBody,
} from './wire.ts';

export interface WalletOptions extends ClientOptions {
  readonly uid: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The client generates a transaction id by default; the answer and errors contain it. */
export type BalanceUpdate = Omit<UpdateBalanceBody, 'transaction_id'> & {
  readonly transaction_id?: string;
};

export type Wallet = ReturnType<typeof createWallet>;

/** Only for servers: the secret allows its holder to move money. */
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

/** The service applies a transaction id once, so the call is retried if its outcome is unknown. */
const createUpdateBalance =
  (send: Send) =>
  async (update: BalanceUpdate, options?: CallOptions): Promise<UpdateBalanceAnswer> => {
    checkAmount('amount', update.amount);
    const transactionId = update.transaction_id ?? crypto.randomUUID();
    const json = { ...update, transaction_id: transactionId };
    const path = '/api/v1/user/update_balance';
    return await send({ method: 'POST', path, json, repeatable: true, transactionId }, options);
  };

function createReads(send: Send) {
  const read =
    <Query extends object, Answer>(path: string) =>
    (query: Query, options?: CallOptions): Promise<Answer> =>
      send({ method: 'GET', path, query, repeatable: true }, options);
  /** A read whose parameters are all optional. */
  const list = <Query extends object, Answer>(path: string) => {
    const ask = read<Query, Answer>(path);
    return (query: Partial<Query> = {}, options?: CallOptions) => ask(query as Query, options);
  };
  const getTransaction = read<GetTransactionQuery, GetTransactionAnswer>('/api/v1/user/transaction');
  return {
    getPackage: (options?: CallOptions) => read<object, GetPackageAnswer>('/api/v1/package')({}, options),
    getBalance: read<GetBalanceQuery, GetBalanceAnswer>('/api/v1/user/balance'),
    listPlayers: list<ListPlayersQuery, ListPlayersAnswer>('/api/v1/user/list'),
    listTransactions: read<ListTransactionsQuery, ListTransactionsAnswer>('/api/v1/user/transactions'),
    getTransaction,
    /** Whether a transaction was applied, after an error with `outcome: 'unknown'`. */
    resolve: createResolve(getTransaction),
    listGames: list<ListGamesQuery, ListGamesAnswer>('/api/v1/game/list'),
    getRound: read<GetRoundQuery, GetRoundAnswer>('/api/v1/round'),
    /** Every movement of the package, in order. Store `next_after` to continue from there. */
    listFeed: list<ListFeedQuery, ListFeedAnswer>('/api/v1/feed'),
  };
}

function createWrites(send: Send) {
  const write =
    <Body, Answer>(path: string, { repeatable }: Pick<Call, 'repeatable'>) =>
    (json: Body, options?: CallOptions): Promise<Answer> =>
      send({ method: 'POST', path, json, repeatable }, options);
  const again = { repeatable: true };
  return {
    /** A repeat changes nothing and answers `created: false`, also after a lost answer. */
    createPlayer: write<CreatePlayerBody, CreatePlayerAnswer>('/api/v1/user/create', again),
    setPlayerStatus: write<SetPlayerStatusBody, SetPlayerStatusAnswer>('/api/v1/user/status', again),
    /** Retried only if it is certain that no session was opened, because every launch opens a new session. */
    launchGame: write<LaunchGameBody, LaunchGameAnswer>('/api/v1/game/launch', {
      repeatable: false,
    }),
    endSession: write<EndSessionBody, EndSessionAnswer>('/api/v1/game/session/end', again),
  };
}
