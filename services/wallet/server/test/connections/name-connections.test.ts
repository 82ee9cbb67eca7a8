// Finds the connection of a movement that names no round. There are three ways: by the transaction id, by
// another transaction that the movement names, or because only one connection can have sent the movement.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signWalletRequest } from '../../src/connections/dialects/slotegrator/signature.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { createProvider } from '../environment/callbacks.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram } from '../environment/people.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});
afterAll(() => given.close());

async function givenOwner() {
  const owner = await given.package();
  await given.player(owner, { playerId: 'ann', balance: '100.00' });
  return owner;
}

const connectSlotegrator = (owner: GivenPackage, name: string) =>
  giveConnection(given, owner, {
    ...{ dialect: 'slotegrator', name, secrets: { merchant_id: 'merchant', merchant_key: 'merchant-key' } },
  });

async function sendSlotegrator(connection: GivenConnection, fields: object): Promise<void> {
  const timestamp = Math.floor(given.clock.now.getTime() / 1000);
  const stamp = { timestamp, nonce: randomBytes(16).toString('hex') };
  const merchant = { merchantId: 'merchant', merchantKey: 'merchant-key' };
  const base = { player_id: 'ann', currency: 'EUR', game_uuid: 'dice' };
  const { body } = await connection.send(signWalletRequest(merchant, { ...base, ...fields }, stamp));
  expect(body).not.toHaveProperty('error_code');
}

const rollback = (id: string, bet: string) => ({
  action: 'rollback',
  transaction_id: id,
  rollback_transactions: [{ action: 'bet', transaction_id: bet, amount: '1.00' }],
});

async function connectValkyrie(owner: GivenPackage, name: string) {
  const secrets = { token: `token-${name}` };
  const connection = await giveConnection(given, owner, { dialect: 'valkyrie', name, secrets });
  await insertSession(given.db, {
    packageId: owner.id,
    sessionId: `gs_${name}`,
    accountId: await getAccount(given.db, owner.id, 'ann'),
    gameId: 'dice',
    mode: 'real',
    createdAt: given.clock.now,
    expiresAt: new Date(given.clock.now.getTime() + 3_600_000),
    connectionId: connection.id,
  });
  const withdraw = async (id: string, betRef: string, more: object = {}) => {
    const body = {
      ...{ transactionType: 'WITHDRAW', cashAmount: 1, bonusAmount: 0, promoAmount: 0, currency: 'EUR' },
      ...{ transactionDateTime: '2026-01-02T03:04:05Z', provider: 'Evolution', providerGameId: 'dice' },
      ...{ providerTransactionId: id, providerBetRef: betRef, ...more },
    };
    const { status } = await connection.send({
      method: 'POST',
      path: '/players/ann/transactions',
      query: 'provider=Evolution',
      headers: signValkyrieRequest(secrets.token, `gs_${name}`),
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(status).toBe(200);
  };
  return { withdraw };
}

/** The movements of games in the feed, each as its transaction id and the name of its connection. */
async function readFeed(owner: GivenPackage): Promise<[string, string | undefined][]> {
  const answer = await given.app.inject({ url: '/api/v1/feed', headers: owner.headers });
  type Line = { kind: string; transaction_id: string; connection?: { name: string } };
  const movements: Line[] = answer.json().data.movements;
  const ofGames = movements.filter(({ kind }) => !['credit', 'top_up'].includes(kind));
  return ofGames.map((line) => [line.transaction_id, line.connection?.name]);
}

it('a movement names its connection, even if two connections use the same transaction id', async () => {
  const owner = await givenOwner();
  const [one, two] = [await connectSlotegrator(owner, 'One'), await connectSlotegrator(owner, 'Two')];
  await sendSlotegrator(one, { action: 'bet', transaction_id: 't', amount: '1.00' });
  await sendSlotegrator(two, { action: 'bet', transaction_id: 't', amount: '1.00' });
  expect(await readFeed(owner)).toEqual([
    ['t', 'One'],
    ['t', 'Two'],
  ]);
});

it('a rollback has the connection of the transaction that it names', async () => {
  const owner = await givenOwner();
  const [one, two] = [await connectSlotegrator(owner, 'One'), await connectSlotegrator(owner, 'Two')];
  for (const connection of [one, two]) {
    await sendSlotegrator(connection, { action: 'bet', transaction_id: 'b', amount: '1.00' });
  }
  await sendSlotegrator(two, rollback('r', 'b'));
  expect((await readFeed(owner)).at(-1)).toEqual(['r', 'Two']);
});

it('a transaction with a bet reference belongs to the only connection that uses references', async () => {
  const owner = await givenOwner();
  await connectSlotegrator(owner, 'Other');
  const { withdraw } = await connectValkyrie(owner, 'Pam');
  await withdraw('v', 'reference');
  expect(await readFeed(owner)).toEqual([['v', 'Pam']]);
});

it('a movement names no connection if two connections could have sent the movement', async () => {
  const owner = await givenOwner();
  const one = await connectSlotegrator(owner, 'One');
  const { withdraw } = await connectValkyrie(owner, 'Pam');
  await sendSlotegrator(one, rollback('r', 'never-seen'));
  await connectValkyrie(owner, 'Second');
  await withdraw('v', 'reference');
  await withdraw('w', 'other', { providerRoundId: 'round' });
  expect(await readFeed(owner)).toEqual([
    ['r', undefined],
    ['v', undefined],
    ['w', 'Pam'],
  ]);
});

it('movements of callbacks have no connection, with and without a round', async () => {
  const owner = await givenOwner();
  await connectValkyrie(owner, 'Pam');
  const provider = createProvider(given, owner);
  const of = (id: string) => ({ player_id: 'ann', transaction_id: id });
  await provider.send({ action: 'bet', ...of('b1'), amount: 1, round_id: 'r', round_finished: true });
  await provider.send({ action: 'bet', ...of('b2'), amount: 1 });
  await provider.send({ action: 'win', ...of('w2'), amount: 1 });
  await provider.send({ action: 'bet_win', ...of('bw'), bet_amount: 1, win_amount: 2 });
  await provider.send({ action: 'rollback', ...of('rb'), reference_transaction_id: 'b2' });
  await provider.send({ action: 'rollback', ...of('tomb'), reference_transaction_id: 'never' });
  const feed = await readFeed(owner);
  expect(feed.map(([id]) => id)).toEqual(['b1', 'b2', 'w2', 'bw', 'bw', 'rb', 'tomb']);
  expect(feed.filter(([, name]) => name !== undefined)).toEqual([]);
});

it('the name of a connection cannot run as a formula in the CSV export', async () => {
  const owner = await givenOwner();
  const { id, ...connection } = await connectSlotegrator(owner, '=1+1');
  await sendSlotegrator({ id, ...connection }, { action: 'bet', transaction_id: 't', amount: '1.00' });
  const { token } = await giveProgram(given);
  const answer = await given.app.inject({
    url: `/admin/v1/packages/${owner.id}/journal.csv?kind=bet`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.body).toMatch(new RegExp(`,${id},'=1\\+1\\r\\n$`));
});
