// Valkyrie's calls to the running service: sessions, the recon token, look-ups, cash and promo money.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { hashKey, hashRoundOf } from '../../src/connections/to-batch.ts';
import { insertSession } from '../../src/games/store.ts';
import { accountsOfPlayer } from '../../src/ledger/rules/movement.ts';
import { getAccount } from '../../src/players/queries.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { createPamWallet } from '../environment/valkyrie-requests.ts';

const token = 'pam-token';
const recon = 'a-recon-token-of-at-least-32-letters';

let given: Given;
let owner: GivenPackage;
let connection: GivenConnection;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '10000.00', decimals: 5 });
  const secrets = { token, recon_token: recon };
  connection = await giveConnection(given, owner, { dialect: 'valkyrie', secrets });
});

afterAll(() => given.close());

let ids = 0;

interface Answer {
  readonly status: string;
  readonly error?: { code: string };
  readonly session?: { token: string; playerId: string; currency: string; gameId: string };
  readonly balance?: object;
  readonly gameround?: object;
  readonly transactions?: readonly { transactionType: string; cashAmount: number; promoAmount: number }[];
  readonly transactionResult?: {
    transactionId?: string;
    balance: { cashAmount: number; promoAmount: number };
  };
}

interface Sent {
  readonly method?: string;
  readonly query?: string;
  readonly bearer?: string;
  readonly session?: string | undefined;
}

/** Creates a player with 100 in cash and, by default, 10 in promo money. */
async function givenPlayer(of = connection, { promo = 10 } = {}) {
  const playerId = await given.player(owner, { balance: '100.00' });
  const payload = {
    player_id: playerId,
    purse: 'promo',
    type: 'credit',
    amount: promo,
    transaction_id: `promo-${++ids}`,
  };
  const url = '/api/v1/user/update_balance';
  if (promo > 0) await given.app.inject({ method: 'POST', url, headers: owner.headers, payload });
  const session = `gs_${randomBytes(12).toString('hex')}`;
  const open = async (sessionId: string) =>
    insertSession(given.db, {
      packageId: owner.id,
      sessionId,
      accountId: await getAccount(given.db, owner.id, playerId),
      gameId: 'dice',
      mode: 'real',
      createdAt: given.clock.now,
      expiresAt: new Date(given.clock.now.getTime() + 3_600_000),
      connectionId: of.id,
    });
  await open(session);
  const call = async (path: string, sent: Sent = {}, content?: object): Promise<Answer> => {
    const { method = content ? 'POST' : 'GET', query = 'provider=evolution', bearer = token } = sent;
    const player = 'session' in sent ? sent.session : session;
    const body = Buffer.from(content ? JSON.stringify(content) : '');
    const headers = signValkyrieRequest(bearer, player);
    const answer = await of.send({ method, path: `/players/${path}`, query, headers, body });
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text));
    return answer.body as Answer;
  };
  const round = `round-${++ids}`;
  const transact = (type: string, id: string, more: object = {}, sent: Sent = {}) =>
    call(`${playerId}/transactions`, sent, {
      ...{ transactionType: type, cashAmount: 10, bonusAmount: 0, promoAmount: 0, currency: 'EUR' },
      ...{ provider: 'evolution', transactionDateTime: '2026-01-02T03:04:05Z' },
      ...{ providerTransactionId: `${round}-${id}`, providerBetRef: `${round}-ref`, providerGameId: 'dice' },
      providerRoundId: round,
      ...more,
    });
  const cash = async () => (await call(`${playerId}/balance`)).balance;
  const expire = () =>
    given.db.query('update game_sessions set expires_at = $3 where package_id = $1 and id = $2', [
      ...[owner.id, session, new Date(given.clock.now.getTime() - 1)],
    ]);
  return { playerId, session, open, call, round, transact, cash, expire };
}

const codeOf = ({ status, error }: Answer) => error?.code ?? status;

describe('a session', () => {
  it('a request for a session is answered with the player, currency and game of the session', async () => {
    const { call, session, playerId } = await givenPlayer();
    const answer = await call('session');
    expect(answer.session).toMatchObject({ token: session, playerId, currency: 'EUR', gameId: 'dice' });
  });

  it('a PUT request replaces a session: the new token is valid, and the old token is expired', async () => {
    const { call, transact, session, playerId } = await givenPlayer();
    const fresh = (await call('session', { method: 'PUT' })).session?.token;
    expect(fresh).not.toBe(session);
    expect((await call('session', { session: fresh })).session?.playerId).toBe(playerId);
    expect(await call('session', { method: 'PUT' })).toMatchObject({
      error: { code: 'PAM_ERR_SESSION_EXPIRED' },
      transactionResult: { balance: { cashAmount: 100, promoAmount: 10 } },
    });
    expect(codeOf(await call(`${playerId}/balance`))).toBe('PAM_ERR_SESSION_EXPIRED');
    expect(codeOf(await transact('WITHDRAW', 'old'))).toBe('PAM_ERR_SESSION_EXPIRED');
    expect(codeOf(await transact('WITHDRAW', 'new', {}, { session: fresh }))).toBe('OK');
  });

  it('with a token that was replaced, the session is still read and a late deposit is accepted', async () => {
    const { call, transact, session, playerId } = await givenPlayer();
    expect(codeOf(await transact('WITHDRAW', 'b'))).toBe('OK');
    await call('session', { method: 'PUT' });
    // Valkyrie reads the session before it sends a win of Caleta, which may name the old token.
    expect((await call('session')).session).toMatchObject({ token: session, playerId });
    expect(codeOf(await transact('DEPOSIT', 'w'))).toBe('OK');
  });

  it("an unknown or missing session, or another player's session, is answered as not found", async () => {
    const { call, playerId, transact } = await givenPlayer();
    const other = await givenPlayer();
    for (const session of ['gs_unknown', undefined]) {
      expect(codeOf(await call('session', { session }))).toBe('PAM_ERR_SESSION_NOT_FOUND');
      expect(codeOf(await call('session', { session, method: 'PUT' }))).toBe('PAM_ERR_SESSION_NOT_FOUND');
    }
    for (const session of ['gs_unknown', undefined, other.session]) {
      expect(codeOf(await call(`${playerId}/balance`, { session }))).toBe('PAM_ERR_SESSION_NOT_FOUND');
      expect(codeOf(await transact('WITHDRAW', 'b', {}, { session }))).toBe('PAM_ERR_SESSION_NOT_FOUND');
    }
  });

  it('two sessions of the same player can play in the same round', async () => {
    const { transact, session, playerId, open } = await givenPlayer();
    const second = `${session}-2`;
    await open(second);
    await transact('WITHDRAW', 'a');
    const other = { providerBetRef: `${playerId}-other` };
    await transact('WITHDRAW', 'b', other, { session: second });
    expect(codeOf(await transact('DEPOSIT', 'c', { cashAmount: 15 }, { session: second }))).toBe('OK');
    const last = await transact('DEPOSIT', 'd', { ...other, cashAmount: 5 });
    expect(last.transactionResult?.balance.cashAmount).toBe(100);
  });

  it('an expired session allows deposits and cancels, but no withdrawals', async () => {
    const { transact, expire } = await givenPlayer();
    await transact('WITHDRAW', 'a');
    await transact('WITHDRAW', 'b', { providerBetRef: 'second' });
    await expire();
    expect(codeOf(await transact('WITHDRAW', 'c', { providerBetRef: 'third' }))).toBe(
      'PAM_ERR_SESSION_EXPIRED',
    );
    expect((await transact('DEPOSIT', 'd')).transactionResult?.balance.cashAmount).toBe(90);
    const cancelled = await transact('CANCEL', 'e', { providerBetRef: 'second' });
    expect(cancelled.transactionResult?.balance.cashAmount).toBe(100);
  });
});

describe('the recon token', () => {
  const deposit = {
    ...{ transactionType: 'PROMODEPOSIT', cashAmount: 1, bonusAmount: 0, promoAmount: 0 },
    providerTransactionId: 'recon-nobody',
  };

  it('the recon token allows late deposits and cancels without a session, and no other request', async () => {
    const { transact, call, playerId } = await givenPlayer();
    await transact('WITHDRAW', 'a');
    await transact('WITHDRAW', 'b', { providerBetRef: 'recon-second' });
    expect(codeOf(await transact('DEPOSIT', 'c', {}, { session: recon }))).toBe('OK');
    const alone = { bearer: recon, session: undefined };
    expect(codeOf(await transact('CANCEL', 'd', { providerBetRef: 'recon-second' }, alone))).toBe('OK');
    expect(codeOf(await transact('WITHDRAW', 'e', {}, alone))).toBe('PAM_ERR_API_TOKEN');
    const third = { providerBetRef: 'recon-third' };
    expect(codeOf(await transact('WITHDRAW', 'e', third, { session: recon }))).toBe(
      'PAM_ERR_SESSION_NOT_FOUND',
    );
    expect(codeOf(await call(`${playerId}/balance`, { session: recon }))).toBe('PAM_ERR_SESSION_NOT_FOUND');
    const nobody = await call('nobody/transactions', { session: recon }, { ...deposit, currency: 'EUR' });
    expect(codeOf(nobody)).toBe('PAM_ERR_PLAYER_NOT_FOUND');
    for (const path of ['session', `${playerId}/balance`, `${playerId}/transactions`]) {
      expect(codeOf(await call(path, alone))).toBe('PAM_ERR_API_TOKEN');
    }
  });
});

describe('look-ups', () => {
  it('look-ups find transactions by bet reference and rounds by id', async () => {
    const { transact, call, playerId, round } = await givenPlayer();
    const query = `provider=evolution&providerBetRef=${round}-ref`;
    const find = (more = query) => call(`${playerId}/transactions`, { query: more });
    expect(codeOf(await find())).toBe('PAM_ERR_TRANS_NOT_FOUND');
    expect(codeOf(await call(`${playerId}/gamerounds/${round}`))).toBe('PAM_ERR_ROUND_NOT_FOUND');
    await transact('WITHDRAW', 'a', { promoAmount: 2.5 });
    await transact('DEPOSIT', 'b', { isGameOver: true });
    expect((await find()).transactions).toMatchObject([
      { transactionType: 'WITHDRAW', cashAmount: 10, promoAmount: 2.5 },
      { transactionType: 'DEPOSIT', cashAmount: 10, promoAmount: 0 },
    ]);
    expect((await call(`${playerId}/gamerounds/${round}`)).gameround).toMatchObject({
      ...{ providerGameId: 'dice', providerRoundId: round, endTime: expect.any(String) },
    });
  });

  it("look-ups show nothing of another player's transactions and rounds", async () => {
    const [one, two] = [await givenPlayer(), await givenPlayer()];
    await one.transact('WITHDRAW', 'a');
    const query = `provider=evolution&providerBetRef=${one.round}-ref`;
    expect(codeOf(await two.call(`${two.playerId}/transactions`, { query }))).toBe('PAM_ERR_TRANS_NOT_FOUND');
    expect(codeOf(await two.call(`${two.playerId}/gamerounds/${one.round}`))).toBe('PAM_ERR_ROUND_NOT_FOUND');
  });
});

describe('transactions of Valkyrie', () => {
  it('cash and promo money move together, and errors for a known player contain both balances', async () => {
    const { transact, cash } = await givenPlayer();
    const first = await transact('WITHDRAW', 'a', { cashAmount: 0.00001, promoAmount: 3 });
    expect(first.transactionResult?.balance).toMatchObject({ cashAmount: 99.99999, promoAmount: 7 });
    const again = await transact('WITHDRAW', 'a', { cashAmount: 0.00001, promoAmount: 3 });
    expect(again).toEqual(first);
    const promo = await transact('PROMOWITHDRAW', 'b', {
      providerBetRef: 'p',
      cashAmount: 0,
      promoAmount: 8,
    });
    expect(promo).toMatchObject({
      error: { code: 'PAM_ERR_PROMO_OVERDRAFT' },
      transactionResult: { balance: { cashAmount: 99.99999, promoAmount: 7 } },
    });
    await transact('PROMODEPOSIT', 'c', {
      providerBetRef: undefined,
      providerRoundId: undefined,
      promoAmount: 1,
    });
    expect(await cash()).toMatchObject({ cashAmount: 109.99999, promoAmount: 8, bonusAmount: 0 });
  });

  it('a first bet of promo money that is refused opens no promo account', async () => {
    const { transact, playerId, cash } = await givenPlayer(connection, { promo: 0 });
    const refused = await transact('WITHDRAW', 'a', { promoAmount: 1 });
    expect(refused).toMatchObject({
      error: { code: 'PAM_ERR_PROMO_OVERDRAFT' },
      transactionResult: { balance: { cashAmount: 100, promoAmount: 0 } },
    });
    const accounts = accountsOfPlayer(await getAccount(given.db, owner.id, playerId));
    const findAccounts = async () =>
      (
        await given.db.query('select id from accounts where package_id = $1 and id = any ($2) order by id', [
          ...[owner.id, accounts],
        ])
      ).rows.map(({ id }) => id);
    expect(await findAccounts()).toEqual(accounts.slice(0, 1));
    const paid = await transact('PROMODEPOSIT', 'b', { cashAmount: 0, promoAmount: 1 });
    expect(codeOf(paid)).toBe('OK');
    expect(await cash()).toMatchObject({ cashAmount: 100, promoAmount: 1 });
    expect(await findAccounts()).toEqual(accounts);
  });

  it('a repeat is answered with the transactionId of the first answer and the current balance', async () => {
    const { transact } = await givenPlayer();
    const first = await transact('WITHDRAW', 'a');
    await transact('WITHDRAW', 'b', { providerBetRef: 'present' });
    const again = await transact('WITHDRAW', 'other-id');
    expect(again.transactionResult).toMatchObject({
      transactionId: first.transactionResult?.transactionId,
      balance: { cashAmount: 80 },
    });
  });

  it('a deposit is refused as settled in a closed round, or as not found in an unknown round', async () => {
    const { transact, cash } = await givenPlayer();
    const unknown = { providerBetRef: undefined, providerRoundId: 'never' };
    expect(codeOf(await transact('DEPOSIT', 'x', unknown))).toBe('PAM_ERR_TRANS_NOT_FOUND');
    await transact('WITHDRAW', 'a');
    await transact('DEPOSIT', 'b', { isGameOver: true });
    const late = { providerBetRef: undefined };
    expect(codeOf(await transact('DEPOSIT', 'c', late))).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
    expect(codeOf(await transact('CANCEL', 'd'))).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
    expect(await cash()).toMatchObject({ cashAmount: 100 });
  });
});

describe('references and transaction ids of Valkyrie', () => {
  const bet = {
    type: 'WITHDRAW',
    more: { providerTransactionId: 'x', providerBetRef: 'ref', promoAmount: 2 },
  };
  const betById = { type: 'WITHDRAW', more: { ...bet.more, providerBetRef: undefined } };
  const betOfOther = {
    type: 'WITHDRAW',
    more: { ...bet.more, providerBetRef: 'x', providerTransactionId: 'y' },
  };
  const cancelById = { type: 'CANCEL', more: { providerTransactionId: 'x', providerBetRef: undefined } };
  const cancel = { type: 'CANCEL', more: { providerTransactionId: 'c', providerBetRef: 'ref' } };
  const win = {
    type: 'DEPOSIT',
    more: { providerTransactionId: 'w', providerBetRef: 'ref', isGameOver: true },
  };

  type Step = { readonly type: string; readonly more: object };
  const ordersOf = (steps: readonly Step[]): Step[][] =>
    steps.length === 0
      ? [[]]
      : steps.flatMap((first) =>
          ordersOf(steps.filter((each) => each !== first)).map((rest) => [first, ...rest]),
        );

  /**
   * Prefixes the provider's ids with the round of the player, because the players of one provider share one
   * id space.
   */
  const ownIds = (own: string, more: object) =>
    Object.fromEntries(
      Object.entries(more).map(([name, value]) => [
        name,
        name.startsWith('provider') && typeof value === 'string' ? `${own} ${value}` : value,
      ]),
    );

  it.each([
    ['a bet with a reference and an id', [bet, cancelById, win]],
    ['a bet that is repeated by its id', [bet, betById, cancel]],
    ['a bet that is cancelled by its id and by its reference', [bet, cancelById, cancel]],
    ['a bet whose id is the reference of another bet', [betById, betOfOther, cancelById]],
  ])('the service and the rules in memory agree on %s, in every order', async (_name, steps) => {
    for (const order of ordersOf(steps)) {
      const { transact, round } = await givenPlayer();
      const memory = createPamWallet({ cash: 100n });
      for (const { type, more } of [...order, ...order]) {
        const answer = await transact(type, '', ownIds(round, more));
        const { cashAmount, promoAmount } = answer.transactionResult?.balance ?? {};
        const got = `${codeOf(answer)} ${cashAmount}+${promoAmount}`;
        const wanted = memory.transact(type, ownIds(round, more));
        expect(got, JSON.stringify(order)).toBe(`${wanted.code} ${wanted.balance}`);
      }
    }
  });

  it('a bet and its cancel by id that arrive at the same time leave the balance unchanged', async () => {
    const { transact, cash, round } = await givenPlayer();
    const pairs = Array.from({ length: 8 }, async (_, i) => {
      const id = { providerTransactionId: `${round}-${i}` };
      const [first, second] = await Promise.all([
        transact('WITHDRAW', '', { ...id, providerBetRef: `${round}-ref-${i}`, cashAmount: 1 }),
        transact('CANCEL', '', { ...id, providerBetRef: undefined }),
      ]);
      const isTombstoned = codeOf(first) === 'PAM_ERR_TRANS_ALREADY_CANCELLED';
      expect([codeOf(first), codeOf(second)]).toEqual(
        isTombstoned ? ['PAM_ERR_TRANS_ALREADY_CANCELLED', 'PAM_ERR_CANCEL_NOT_FOUND'] : ['OK', 'OK'],
      );
    });
    await Promise.all(pairs);
    expect(await cash()).toMatchObject({ cashAmount: 100 });
  });

  it('look-ups by reference use only references, and look-ups by id use only ids', async () => {
    const { transact, call, playerId, round } = await givenPlayer();
    await transact('WITHDRAW', 'a', { promoAmount: 1 });
    await transact('CANCEL', 'k');
    const find = async (query: string) => {
      const answer = await call(`${playerId}/transactions`, { query: `provider=evolution&${query}` });
      return answer.transactions?.map((each) => [each.transactionType, each.promoAmount]) ?? codeOf(answer);
    };
    expect(await find(`providerTransactionId=${round}-a`)).toEqual([['WITHDRAW', 1]]);
    expect(await find(`providerTransactionId=${round}-k`)).toEqual([['CANCEL', 1]]);
    expect(await find(`providerBetRef=${round}-ref`)).toEqual([
      ['WITHDRAW', 1],
      ['CANCEL', 1],
    ]);
    expect(await find(`providerTransactionId=${round}-ref`)).toBe('PAM_ERR_TRANS_NOT_FOUND');
    expect(await find(`providerBetRef=${round}-a`)).toBe('PAM_ERR_TRANS_NOT_FOUND');
  });

  it('transactions of an early version of the wallet can be found, repeated and cancelled', async () => {
    const secrets = { token, recon_token: recon };
    const early = await giveConnection(given, owner, { dialect: 'valkyrie', secrets });
    await given.db.query('update provider_connections set shares_names = true where id = $1', [early.id]);
    const { playerId, transact, call, round } = await givenPlayer(early);
    const account = await getAccount(given.db, owner.id, playerId);
    /** Stores a bet under the key that the early version used. */
    const store = (name: string, transactionId: string) => {
      const legs = [
        {
          ...({ type: 'bet', account, amount: 1_000_000n, transactionId, gameId: 'dice' } as const),
          ...{
            idHash: hashKey(early.id, `id evolution/${name}`),
            roundFinished: false,
            blockedBy: undefined,
          },
          round: { id: round, hash: hashRoundOf(early.id, round) },
        },
      ];
      const command = { type: 'batch', legs, isOneTransaction: true } as const;
      return given.ledger.submitBatch({ packageId: owner.id, overdraftLimit: 0n, command });
    };
    await store(`${round}-ref`, `${round}-a`);
    await store(`${round}-b`, `${round}-b`);
    const alone = { providerBetRef: undefined };
    for (const repeat of [await transact('WITHDRAW', 'a'), await transact('WITHDRAW', 'b', alone)]) {
      expect(repeat).toMatchObject({ status: 'OK', transactionResult: { balance: { cashAmount: 80 } } });
    }
    const find = async (query: string) =>
      (await call(`${playerId}/transactions`, { query: `provider=evolution&${query}` })).transactions?.length;
    expect(await find(`providerBetRef=${round}-ref`)).toBe(1);
    expect(await find(`providerTransactionId=${round}-b`)).toBe(1);
    expect(codeOf(await transact('CANCEL', 'b', alone))).toBe('OK');
    expect(codeOf(await transact('DEPOSIT', 'c', { isGameOver: true }))).toBe('OK');
    expect(codeOf(await transact('CANCEL', 'd'))).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });
});

describe('errors of look-ups', () => {
  it('a search that finds nothing is answered with the balance', async () => {
    const { call, playerId } = await givenPlayer();
    const transactionResult = { balance: { cashAmount: 100, promoAmount: 10, bonusAmount: 0 } };
    const query = 'provider=evolution&providerTransactionId=none';
    expect(await call(`${playerId}/transactions`, { query })).toMatchObject({
      error: { code: 'PAM_ERR_TRANS_NOT_FOUND' },
      transactionResult,
    });
    expect(await call(`${playerId}/gamerounds/none`)).toMatchObject({
      error: { code: 'PAM_ERR_ROUND_NOT_FOUND' },
      transactionResult,
    });
  });

  it('errors for a wrong currency or a negative amount contain the balance, and no money moves', async () => {
    const { transact, cash } = await givenPlayer();
    const transactionResult = { balance: { cashAmount: 100, promoAmount: 10, bonusAmount: 0 } };
    expect(await transact('WITHDRAW', 'a', { currency: 'USD' })).toMatchObject({
      error: { code: 'PAM_ERR_TRANS_CURRENCY' },
      transactionResult,
    });
    expect(await transact('WITHDRAW', 'a', { cashAmount: -1 })).toMatchObject({
      error: { code: 'PAM_ERR_NEGATIVE_STAKE' },
      transactionResult,
    });
    expect(await cash()).toMatchObject({ cashAmount: 100 });
  });
});

it('isGameOver in a transaction without promo money also ends the promo part of the round', async () => {
  const { transact, round, playerId } = await givenPlayer();
  await transact('WITHDRAW', 'a', { promoAmount: 1 });
  await transact('DEPOSIT', 'b', { isGameOver: true });
  const account = await getAccount(given.db, owner.id, playerId);
  const { rows } = await given.db.query<{ state: number; closed: boolean }>(
    `select state, closed_at is not null as closed from rounds
     where package_id = $1 and round_id = $2 and account_id = any ($3::bigint[])`,
    [owner.id, round, accountsOfPlayer(account)],
  );
  expect(rows).toEqual([
    { state: 1, closed: true },
    { state: 1, closed: true },
  ]);
});

it('a request whose query names no provider is refused', async () => {
  const { call, playerId } = await givenPlayer();
  expect(codeOf(await call(`${playerId}/balance`, { query: '' }))).toBe('PAM_ERR_MISSING_PROVIDER');
});
