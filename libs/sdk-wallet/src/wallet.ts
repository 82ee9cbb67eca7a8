// The client of the wallet service: an operation a method, each with its time limit and its retries.
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

/** Without a transaction id the client makes one; the answer, or the error, says which. */
export type BalanceUpdate = Omit<UpdateBalanceBody, 'transaction_id'> & {
  readonly transaction_id?: string;
};

export type Wallet = ReturnType<typeof createWallet>;

/** For servers alone: whoever holds the secret moves the money. */
export function createWallet(options: WalletOptions) {
  const { uid, apiKey, apiSecret } = options;
  const keys = { 'x-uid': uid, 'x-api-key': apiKey, 'x-api-secret': apiSecret };
  const send = createSend(options, keys, amountFields);
  const updateBalance = createUpdateBalance(send);
  const move =
    (type: BalanceUpdate['type']) =>
    (update: Omit<BalanceUpdate, 'type'>, callOptions?: CallOptions) =>
      updateBalance({ ...update, type }, callOptions);
  return {
    ...createReads(send),
    ...createWrites(send),
    updateBalance,
    credit: move('credit'),
    debit: move('debit'),
  };
}

/** Once per transaction id, for ever, however often it is sent: in doubt it is sent again. */
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
  /** Where nothing needs to be said. */
  const list = <Query extends object, Answer>(path: string) => {
    const ask = read<Query, Answer>(path);
    return (query: Partial<Query> = {}, options?: CallOptions) => ask(query as Query, options);
  };
  const getTransaction = read<GetTransactionQuery, GetTransactionAnswer>(
    '/api/v1/user/transaction',
  );
  return {
    getPackage: (options?: CallOptions) =>
      read<object, GetPackageAnswer>('/api/v1/package')({}, options),
    getBalance: read<GetBalanceQuery, GetBalanceAnswer>('/api/v1/user/balance'),
    listPlayers: list<ListPlayersQuery, ListPlayersAnswer>('/api/v1/user/list'),
    listTransactions: read<ListTransactionsQuery, ListTransactionsAnswer>(
      '/api/v1/user/transactions',
    ),
    getTransaction,
    /** Did it land? For after an error that says `outcome: 'unknown'`. */
    resolve: createResolve(getTransaction),
    listGames: list<ListGamesQuery, ListGamesAnswer>('/api/v1/game/list'),
    getRound: read<GetRoundQuery, GetRoundAnswer>('/api/v1/round'),
    /** Every movement of the package, in order: keep `next_after`, and go on from there. */
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
    /** A repeat changes nothing and answers `created: false`, also after an answer that was lost. */
    createPlayer: write<CreatePlayerBody, CreatePlayerAnswer>('/api/v1/user/create', again),
    setPlayerStatus: write<SetPlayerStatusBody, SetPlayerStatusAnswer>(
      '/api/v1/user/status',
      again,
    ),
    /** Sent again only where nothing was opened: every launch opens a session of its own. */
    launchGame: write<LaunchGameBody, LaunchGameAnswer>('/api/v1/game/launch', {
      repeatable: false,
    }),
    endSession: write<EndSessionBody, EndSessionAnswer>('/api/v1/game/session/end', again),
  };
}
