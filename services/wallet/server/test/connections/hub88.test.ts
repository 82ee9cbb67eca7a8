// Hub88 and Caleta calls to the running service: repeated requests, tokens, amounts, and requests that do not
// name the player.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/database-unavailable';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { recordSent } from '@counterfoil/kit/testing/intercept';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteExpiredLater } from '../../src/connections/delete-expired.ts';
import { signWalletRequest } from '../../src/connections/dialects/hub88/signature.ts';
import { hashRequest } from '../../src/connections/to-batch.ts';
import { insertSession } from '../../src/games/store.ts';
import { deleteRefusedRequests, insertRefusedRequests } from '../../src/ledger/store/refused-requests.ts';
import { getAccount } from '../../src/players/queries.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const secrets = {
  provider_public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  private_key_pem: privateKeyPem,
};

let given: Given;
let owner: GivenPackage;
let hub: GivenConnection;
let caleta: GivenConnection;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '10000.00', decimals: 5 });
  hub = await giveConnection(given, owner, { dialect: 'hub88', secrets });
  caleta = await giveConnection(given, owner, { dialect: 'hub88', profile: 'caleta', secrets });
});

afterAll(() => given.close());

interface Answer {
  readonly user?: string;
  readonly status: string;
  readonly balance?: number;
  readonly request_uuid?: string;
}

let ids = 0;

/** Creates a player with 100.00. The player's session is running, unless `expired` is true. */
async function givenPlayer({ expired = false, connection = hub } = {}) {
  const user = await given.player(owner, { balance: '100.00' });
  const token = `gs_hub_${++ids}`;
  await insertSession(given.db, {
    packageId: owner.id,
    sessionId: token,
    accountId: await getAccount(given.db, owner.id, user),
    gameId: 'dice',
    mode: 'real',
    createdAt: given.clock.now,
    expiresAt: new Date(given.clock.now.getTime() + (expired ? -1 : 3_600_000)),
    connectionId: connection.id,
  });
  const base = { user, token, game_code: 'dice', currency: 'EUR', round: `round-${ids}` };
  const send = async (path: string, content: object): Promise<Answer> => {
    const sent = { ...base, request_uuid: randomUUID(), ...content };
    const profile = connection === caleta ? 'caleta' : '';
    const { status, body } = await connection.send(signWalletRequest(privateKeyPem, path, sent, profile));
    expect(status).toBe(200);
    return body as Answer;
  };
  const id = () => `tx-${++ids}`;
  return {
    user,
    token,
    send,
    id,
    cash: async () => (await send('/user/info', { token: undefined })).balance,
  };
}

const euro = 100_000;

describe('a request_uuid that was seen before', () => {
  it('a repeat of the whole request gets the same answer byte for byte', async () => {
    const { send, id, cash } = await givenPlayer();
    const bet = { request_uuid: randomUUID(), transaction_uuid: id(), amount: 10 * euro };
    const first = await send('/transaction/bet', bet);
    await send('/transaction/bet', { transaction_uuid: id(), amount: euro });
    expect(await send('/transaction/bet', bet)).toEqual(first);
    expect(await cash()).toBe(89 * euro);
  });

  it.each([
    ['/transaction/bet', {}],
    ['/transaction/win', { reference_transaction_uuid: 'first' }],
    ['/transaction/rollback', { reference_transaction_uuid: 'first' }],
  ])(
    'a used request_uuid with a new transaction_uuid gets the first answer and moves nothing: %s',
    async (path, more) => {
      const { send, id, cash } = await givenPlayer();
      const [request_uuid, transaction_uuid] = [randomUUID(), id()];
      const first = await send('/transaction/bet', { request_uuid, transaction_uuid, amount: 10 * euro });
      await send('/transaction/bet', { transaction_uuid: id(), amount: euro });
      const reference = 'reference_transaction_uuid' in more && {
        reference_transaction_uuid: transaction_uuid,
      };
      const other = { request_uuid, transaction_uuid: id(), amount: 5 * euro, ...reference };
      expect(await send(path, other)).toEqual(first);
      expect(await cash()).toBe(89 * euro);
    },
  );

  it('a request_uuid that another player used is refused as a duplicate, without a balance', async () => {
    const [one, two] = [await givenPlayer(), await givenPlayer()];
    const request_uuid = randomUUID();
    await one.send('/transaction/bet', { request_uuid, transaction_uuid: one.id(), amount: euro });
    const answer = await two.send('/transaction/bet', {
      request_uuid,
      transaction_uuid: two.id(),
      amount: euro,
    });
    expect(answer).toEqual({ user: two.user, status: 'RS_ERROR_DUPLICATE_TRANSACTION', request_uuid });
    expect(await two.cash()).toBe(100 * euro);
  });

  it('a balance request with a used request_uuid gets the current balance', async () => {
    const { send, id } = await givenPlayer();
    const request_uuid = randomUUID();
    expect((await send('/user/balance', { request_uuid })).balance).toBe(100 * euro);
    await send('/transaction/bet', { transaction_uuid: id(), amount: euro });
    expect((await send('/user/balance', { request_uuid })).balance).toBe(99 * euro);
  });
});

describe('a request_uuid that was refused', () => {
  const win = (bet: string, id: string, amount: number) => ({
    ...{ transaction_uuid: id, reference_transaction_uuid: bet, amount },
  });

  it('a repeat gets the same refusal with the same balance, although the bet could now be paid', async () => {
    const { send, id, cash } = await givenPlayer();
    const bet = id();
    await send('/transaction/bet', { transaction_uuid: bet, amount: 40 * euro });
    const refused = { request_uuid: randomUUID(), transaction_uuid: id(), amount: 70 * euro };
    const first = await send('/transaction/bet', refused);
    expect(first).toMatchObject({ status: 'RS_ERROR_NOT_ENOUGH_MONEY', balance: 60 * euro });
    await send('/transaction/win', win(bet, id(), 100 * euro));
    expect(await send('/transaction/bet', refused)).toEqual(first);
    const other = { ...refused, transaction_uuid: id(), amount: euro };
    expect(await send('/transaction/bet', other)).toEqual(first);
    expect(await cash()).toBe(160 * euro);
    const fresh = { ...refused, request_uuid: randomUUID() };
    expect(await send('/transaction/bet', fresh)).toMatchObject({ status: 'RS_OK', balance: 90 * euro });
    expect(await send('/transaction/bet', refused)).toEqual(first);
  });

  it.each([
    ['a duplicate', 'RS_ERROR_DUPLICATE_TRANSACTION'],
    ['an unknown token', 'RS_ERROR_INVALID_TOKEN'],
    ['a blocked player', 'RS_ERROR_USER_DISABLED'],
    ['a stake above the limit', 'RS_ERROR_LIMIT_REACHED'],
    ['a win after the rollback of its bet', 'RS_ERROR_TRANSACTION_ROLLED_BACK'],
  ])('a request that was refused because of %s gets the same refusal again', async (reason, status) => {
    const { send, id, user, cash } = await givenPlayer();
    const [bet, request_uuid] = [id(), randomUUID()];
    await send('/transaction/bet', { transaction_uuid: bet, amount: euro });
    const plain = { request_uuid, transaction_uuid: id(), amount: 2 * euro };
    const set = (column: string, value: unknown) =>
      given.db.query(`update players set ${column} = $3 where package_id = $1 and player_id = $2`, [
        ...[owner.id, user, value],
      ]);
    if (reason === 'a blocked player') await setStatus(user, 'blocked');
    if (reason === 'a stake above the limit') {
      await set('max_stake', 1);
      await setStatus(user, 'active');
    }
    const rollback = { transaction_uuid: id(), reference_transaction_uuid: bet };
    if (reason.startsWith('a win')) await send('/transaction/rollback', rollback);
    const requests: Record<string, [string, object]> = {
      'a duplicate': ['/transaction/bet', { ...plain, transaction_uuid: bet }],
      'an unknown token': ['/transaction/bet', { ...plain, token: 'gs_unknown' }],
      'a win after the rollback of its bet': ['/transaction/win', { ...plain, ...win(bet, id(), euro) }],
    };
    const [path, content] = requests[reason] ?? ['/transaction/bet', plain];
    const first = await send(path, content);
    expect(first.status).toBe(status);
    await set('max_stake', null);
    await setStatus(user, 'active');
    const before = await cash();
    // Neither a valid bet with the refused request_uuid nor a repeat of the refused request moves money.
    expect(await send('/transaction/bet', { ...plain, transaction_uuid: id() })).toEqual(first);
    expect(await send(path, content)).toEqual(first);
    expect(await cash()).toBe(before);
  });

  it('a win that was refused before its bet arrived is decided again if repeated afterwards', async () => {
    const { send, id, cash } = await givenPlayer();
    const bet = id();
    const early = { request_uuid: randomUUID(), ...win(bet, id(), 5 * euro) };
    expect((await send('/transaction/win', early)).status).toBe('RS_ERROR_TRANSACTION_DOES_NOT_EXIST');
    await send('/transaction/bet', { transaction_uuid: bet, amount: euro });
    expect(await send('/transaction/win', early)).toMatchObject({ status: 'RS_OK', balance: 104 * euro });
    expect(await cash()).toBe(104 * euro);
  });

  it('another player who sends a refused request_uuid gets a duplicate error without a balance', async () => {
    const [one, two] = [await givenPlayer(), await givenPlayer()];
    const request_uuid = randomUUID();
    await one.send('/transaction/bet', { request_uuid, transaction_uuid: one.id(), amount: 101 * euro });
    for (const amount of [euro, 101 * euro]) {
      const sent = { request_uuid, transaction_uuid: two.id(), amount };
      const answer = await two.send('/transaction/bet', sent);
      expect(answer).toEqual({ user: two.user, status: 'RS_ERROR_DUPLICATE_TRANSACTION', request_uuid });
    }
    expect(await two.cash()).toBe(100 * euro);
  });

  it('16 equal requests that arrive at the same time get the same refusal', async () => {
    const { send, id } = await givenPlayer();
    const bet = { request_uuid: randomUUID(), transaction_uuid: id(), amount: 101 * euro };
    const answers = await Promise.all(Array.from({ length: 16 }, () => send('/transaction/bet', bet)));
    expect(answers[0]?.status).toBe('RS_ERROR_NOT_ENOUGH_MONEY');
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('a request gets the retryable error while its refusal cannot be stored', async () => {
    const { send, id } = await givenPlayer();
    const bet = { request_uuid: randomUUID(), transaction_uuid: id(), amount: 101 * euro };
    const query = failStatement('insert_refused_requests');
    const answer = await send('/transaction/bet', bet);
    query.mockRestore();
    expect(answer.status).toBe('RS_ERROR_UNKNOWN');
    expect((await send('/transaction/bet', bet)).status).toBe('RS_ERROR_NOT_ENOUGH_MONEY');
  });

  it('a stored refusal is deleted after 30 days, and the request is then decided again', async () => {
    const { send, id } = await givenPlayer();
    const bet = id();
    const refused = { request_uuid: randomUUID(), transaction_uuid: id(), amount: 101 * euro };
    await send('/transaction/bet', { transaction_uuid: bet, amount: euro });
    const first = await send('/transaction/bet', refused);
    await send('/transaction/win', win(bet, id(), 10 * euro));
    const days = (count: number) => new Date(given.clock.now.getTime() + count * 86_400_000);
    const packageId = owner.id;
    await deleteRefusedRequests(given.db, { packageId, before: days(0), limit: 1000 });
    expect(await send('/transaction/bet', refused)).toEqual(first);
    const { logger } = captureLog('wallet');
    const loop = deleteExpiredLater({ db: given.db, logger, now: () => days(30.1) });
    await loop.now();
    await loop.stop();
    expect(await send('/transaction/bet', refused)).toMatchObject({ status: 'RS_OK' });
  });

  it('the database rejects the write of a request if its refusal is already stored', async () => {
    const { send, id, cash } = await givenPlayer();
    const request_uuid = randomUUID();
    const refused = { requestHash: hashRequest(hub.id, request_uuid), playerId: 'x', code: 'bet_limit' };
    const bet = { request_uuid, transaction_uuid: id(), amount: euro };
    await insertRefusedRequests(given.db, {
      packageId: owner.id,
      refused: [{ ...refused, balance: undefined }],
      at: given.clock.now,
    });
    await expect(
      given.db.query(
        `insert into bet_states (package_id, bet_hash, account_id, state, sequence) values ($1, $2, 2, 4, 9)
         on conflict (package_id, bet_hash, account_id) do update set sequence = excluded.sequence`,
        [owner.id, refused.requestHash],
      ),
    ).rejects.toThrow('refused_request_stays_refused');
    expect((await send('/transaction/bet', bet)).status).toBe('RS_ERROR_DUPLICATE_TRANSACTION');
    expect(await cash()).toBe(100 * euro);
  });
});

it('an accepted bet needs no separate statement to store its request_uuid', async () => {
  const { send, id } = await givenPlayer();
  await send('/transaction/bet', { transaction_uuid: id(), amount: euro });
  const statements = await recordSent(async () => {
    const { status } = await send('/transaction/bet', { transaction_uuid: id(), amount: euro });
    expect(status).toBe('RS_OK');
  });
  expect(statements.filter(({ text }) => text.includes('refused_requests'))).toEqual([]);
  expect(statements.filter(({ text }) => text.includes('bet_states'))).toHaveLength(1);
});

/** Lets the named statement fail as if the database were down. */
function failStatement(name: string) {
  const send = given.db.query.bind(given.db) as (...sent: unknown[]) => Promise<never>;
  return vi.spyOn(given.db, 'query').mockImplementation(async (...sent: unknown[]) => {
    if ((sent[0] as { name?: string }).name === name) throw new DatabaseUnavailableError('down');
    return send(...sent);
  });
}

async function setStatus(player_id: string, status: 'active' | 'blocked') {
  const payload = { player_id, status };
  const url = '/api/v1/user/status';
  const answer = await given.app.inject({ method: 'POST', url, headers: owner.headers, payload });
  expect(answer.statusCode).toBe(200);
}

describe('a transaction of Hub88', () => {
  it.each([
    ['amount', { amount: 11 * euro }],
    ['round', { round: 'another' }],
    ['game', { game_code: 'another' }],
  ])(
    'a transaction_uuid that was used with a different %s is refused as a duplicate and moves nothing',
    async (_field, change) => {
      const { send, id, cash } = await givenPlayer();
      const bet = { transaction_uuid: id(), amount: 10 * euro };
      await send('/transaction/bet', bet);
      const { status } = await send('/transaction/bet', { ...bet, ...change });
      expect([status, await cash()]).toEqual(['RS_ERROR_DUPLICATE_TRANSACTION', 90 * euro]);
    },
  );

  it('a win needs its bet, and is refused after the rollback of the bet', async () => {
    const { send, id, cash } = await givenPlayer();
    const bet = id();
    const win = { transaction_uuid: id(), reference_transaction_uuid: bet, amount: euro };
    expect((await send('/transaction/win', win)).status).toBe('RS_ERROR_TRANSACTION_DOES_NOT_EXIST');
    await send('/transaction/bet', { transaction_uuid: bet, amount: euro });
    await send('/transaction/rollback', { transaction_uuid: id(), reference_transaction_uuid: bet });
    expect((await send('/transaction/win', win)).status).toBe('RS_ERROR_TRANSACTION_ROLLED_BACK');
    expect(await cash()).toBe(100 * euro);
  });

  it('a rollback of an unknown bet gets RS_OK with the balance, and the bet is refused later', async () => {
    const { send, id } = await givenPlayer();
    const bet = id();
    const rollback = { transaction_uuid: id(), reference_transaction_uuid: bet };
    expect(await send('/transaction/rollback', rollback)).toMatchObject({
      status: 'RS_OK',
      balance: 100 * euro,
    });
    const { status } = await send('/transaction/bet', { transaction_uuid: bet, amount: euro });
    expect(status).toBe('RS_ERROR_TRANSACTION_ROLLED_BACK');
  });

  it('a bet above the balance is refused, and the answer contains the balance', async () => {
    const { send, id } = await givenPlayer();
    const answer = await send('/transaction/bet', { transaction_uuid: id(), amount: 101 * euro });
    expect(answer).toMatchObject({ status: 'RS_ERROR_NOT_ENOUGH_MONEY', balance: 100 * euro });
  });

  it('an amount of one hundred-thousandth is exact in a package with 5 decimals', async () => {
    const { send, id } = await givenPlayer();
    const { balance } = await send('/transaction/bet', { transaction_uuid: id(), amount: 1 });
    expect(balance).toBe(100 * euro - 1);
  });
});

describe('the token of a request', () => {
  it('info, balance and bets need the token of a running session; wins and rollbacks do not', async () => {
    const { send, id, token } = await givenPlayer();
    const [one, two] = [id(), id()];
    for (const transaction_uuid of [one, two])
      await send('/transaction/bet', { transaction_uuid, amount: euro });
    const ended = `update game_sessions set expires_at = $3 where package_id = $1 and id = $2`;
    await given.db.query(ended, [owner.id, token, new Date(given.clock.now.getTime() - 1)]);
    const refused = [
      await send('/user/info', {}),
      await send('/user/balance', {}),
      await send('/transaction/bet', { transaction_uuid: id(), amount: euro }),
      await send('/user/balance', { token: 'gs_unknown' }),
      await send('/transaction/bet', { token: 'gs_unknown', transaction_uuid: id(), amount: euro }),
    ];
    expect(refused.map(({ status }) => status.replace('RS_ERROR_', ''))).toEqual([
      ...['TOKEN_EXPIRED', 'TOKEN_EXPIRED', 'TOKEN_EXPIRED', 'INVALID_TOKEN', 'INVALID_TOKEN'],
    ]);
    const win = { transaction_uuid: id(), reference_transaction_uuid: one, amount: 3 * euro };
    expect((await send('/transaction/win', win)).balance).toBe(101 * euro);
    const rollback = { transaction_uuid: id(), reference_transaction_uuid: two, token: 'gs_unknown' };
    expect((await send('/transaction/rollback', rollback)).balance).toBe(102 * euro);
  });

  it('a token of Caleta identifies the player if the request names no player', async () => {
    const { send, id, user } = await givenPlayer({ connection: caleta });
    const nameless = { user: undefined };
    expect(await send('/wallet/balance', nameless)).toMatchObject({
      user,
      status: 'RS_OK',
      balance: 100 * euro,
    });
    const bet = id();
    await send('/wallet/bet', { ...nameless, transaction_uuid: bet, amount: 10 * euro });
    const win = { ...nameless, transaction_uuid: id(), reference_transaction_uuid: bet, amount: euro };
    expect(await send('/wallet/win', win)).toMatchObject({ user, status: 'RS_OK', balance: 91 * euro });
    const rollback = { ...nameless, transaction_uuid: id(), reference_transaction_uuid: bet };
    expect(await send('/wallet/rollback', rollback)).toMatchObject({ user, status: 'RS_OK' });
    const unknown = await send('/wallet/win', { ...win, token: 'gs_unknown' });
    expect(unknown.status).toBe('RS_ERROR_INVALID_TOKEN');
    const { status } = await send('/wallet/balance', { ...nameless, token: (await givenPlayer()).token });
    expect(status).toBe('RS_ERROR_INVALID_TOKEN');
  });

  it('a request to /wallet/check replaces a token of Caleta, and the old token is then expired', async () => {
    const { send, token } = await givenPlayer({ connection: caleta });
    const fresh = (await send('/wallet/check', {})) as unknown as { token: string };
    expect(fresh.token).not.toBe(token);
    expect((await send('/wallet/balance', { token: fresh.token })).status).toBe('RS_OK');
    expect((await send('/wallet/balance', {})).status).toBe('RS_ERROR_TOKEN_EXPIRED');
  });
});
