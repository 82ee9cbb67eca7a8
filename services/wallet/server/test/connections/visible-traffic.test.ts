// Every page and API that shows callbacks also shows the traffic of provider connections, including promo
// money.

import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signWalletRequest } from '../../src/connections/dialects/softswiss/signature.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { exportJournal } from '../../src/proof/export-journal.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { startWebhookDispatcher } from '../../src/webhooks/webhooks.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let alpha: GivenConnection;
let beta: GivenConnection;
let pam: GivenConnection;
let member: Send;
let admin: Send;
let base: string;

beforeAll(async () => {
  given = await givenWallet({ WEBHOOK_LOCAL_ADDRESSES: 'on' });
  owner = await given.package({ credit: '10000.00' });
  base = `/panel/packages/${owner.id}`;
  member = (await giveMember(given, owner, 'owner')).send;
  admin = (await giveProgram(given)).send;
  const softswiss = { dialect: 'softswiss', secrets: { token: 'a-token' } } as const;
  alpha = await giveConnection(given, owner, { ...softswiss, name: 'Alpha' });
  beta = await giveConnection(given, owner, { ...softswiss, name: 'Beta' });
  const secrets = { token: 'pam-token' };
  pam = await giveConnection(given, owner, { dialect: 'valkyrie', name: 'Pam', secrets });
  for (const playerId of ['ann', 'bob']) await given.player(owner, { playerId, balance: '100.00' });
  for (const playerId of ['ann', 'bob']) await givePromo(playerId, 20);
  await openSession('ann');
  // The connections `alpha` and `beta` use the same ids for different transactions and rounds.
  expect(await betAt(alpha, 'ann', '10.00')).toBe(200);
  expect(await betAt(beta, 'bob', '7.00')).toBe(200);
  expect(await betAt(alpha, 'ann', '10.00')).toBe(200);
  expect(await withdraw({ cash: 5, promo: 3 })).toBe(200);
});

afterAll(() => given.close());

const post = (path: string, payload: object) =>
  given.app.inject({ method: 'POST', url: `/api/v1/${path}`, headers: owner.headers, payload });

async function givePromo(playerId: string, amount: number) {
  const credit = { player_id: playerId, type: 'credit', amount, transaction_id: `promo-${playerId}` };
  expect((await post('user/update_balance', { ...credit, purse: 'promo' })).statusCode).toBe(200);
}

const openSession = async (playerId: string) =>
  insertSession(given.db, {
    packageId: owner.id,
    sessionId: `gs_${playerId}`,
    accountId: await getAccount(given.db, owner.id, playerId),
    gameId: 'dice',
    mode: 'real',
    createdAt: given.clock.now,
    expiresAt: new Date(given.clock.now.getTime() + 3_600_000),
    connectionId: pam.id,
  });

const betAt = async (connection: GivenConnection, playerId: string, amount: string, id = 't-1') => {
  const game = { account_id: playerId, currency: 'EUR', game_id: 'dice', round_id: 'r-1' };
  const transactions = [{ id_provider: id, type: 'bet', amount }];
  return (await connection.send(signWalletRequest('a-token', '/betwin', { ...game, transactions }))).status;
};

const withdraw = async ({ cash, promo, id = 'v-1' }: { cash: number; promo: number; id?: string }) => {
  const body = {
    transactionType: 'WITHDRAW',
    ...{ cashAmount: cash, bonusAmount: 0, promoAmount: promo, currency: 'EUR', provider: 'Evolution' },
    transactionDateTime: '2026-01-02T03:04:05Z',
    ...{ providerTransactionId: id, providerBetRef: id.replace('v', 'ref'), providerGameId: 'dice' },
    ...{ providerRoundId: id.replace('v-1', 'r-v'), isGameOver: true },
  };
  const { status } = await pam.send({
    method: 'POST',
    path: '/players/ann/transactions',
    query: 'provider=Evolution',
    headers: signValkyrieRequest('pam-token', 'gs_ann'),
    body: Buffer.from(JSON.stringify(body)),
  });
  return status;
};

const read = async (path: string) => (await member('GET', `${base}/${path}`)).body.data;

const named = (name: string, { id }: GivenConnection, dialect = 'softswiss') => ({ id, name, dialect });

describe('the inspector', () => {
  it('the inspector finds all transactions with an id, of any connection, and their calls', async () => {
    const found = await eventually(async () => {
      const { body } = await admin('GET', `/admin/v1/packages/${owner.id}/transactions/t-1`);
      expect(body.data.calls).toHaveLength(3);
      return body.data;
    });
    expect(found.deliveries).toMatchObject([
      { player_id: 'ann', amount: 10, round_id: 'r-1', connection: named('Alpha', alpha) },
      { player_id: 'bob', amount: 7, round_id: 'r-1', connection: named('Beta', beta) },
    ]);
    expect(found.calls.map((call: { connection: { name: string } }) => call.connection.name).sort()).toEqual([
      'Alpha',
      'Alpha',
      'Beta',
    ]);
    const [call] = found.calls.filter(({ player_id }: { player_id: string }) => player_id === 'bob');
    expect(JSON.parse(call.body).transactions).toEqual([{ id_provider: 't-1', type: 'bet', amount: '7.00' }]);
    expect(call.meaning.call.legs).toMatchObject([{ type: 'bet', amount: '700' }]);
  });

  it.each(['v-1', 'ref-1'])(
    'the id or reference %s finds cash and promo money of a Valkyrie transaction',
    async (id) => {
      const found = await eventually(async () => {
        const data = await read(`transactions/${id}`);
        expect(data.calls).toHaveLength(1);
        return data;
      });
      const connection = named('Pam', pam, 'valkyrie');
      expect(found.deliveries).toHaveLength(2);
      expect(found.deliveries).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ transaction_id: 'v-1', amount: 5, round_id: 'r-v', connection }),
          expect.objectContaining({ transaction_id: 'v-1', amount: 3, purse: 'promo', connection }),
        ]),
      );
    },
  );

  it('the inspector does not find a transaction of another package', async () => {
    const other = await given.package();
    const { send } = await giveMember(given, other, 'owner');
    await giveConnection(given, other, { dialect: 'softswiss', secrets: { token: 'a-token' } });
    const answer = await send('GET', `/panel/packages/${other.id}/transactions/t-1`);
    expect([answer.status, answer.body.code]).toEqual([404, 'transaction_not_found']);
  });
});

it('the callback log lists the calls of all connections, and can be filtered by player', async () => {
  const calls = await eventually(async () => {
    const found = await read('provider-calls');
    expect(found.calls).toHaveLength(4);
    return found.calls;
  });
  expect(calls.map((call: { connection: { dialect: string } }) => call.connection.dialect).sort()).toEqual([
    'softswiss',
    'softswiss',
    'softswiss',
    'valkyrie',
  ]);
  expect((await read('provider-calls?player_id=bob')).calls).toMatchObject([
    { player_id: 'bob', connection: named('Beta', beta), transaction_ids: ['t-1'] },
  ]);
  const first = await read('provider-calls?limit=3');
  expect((await read(`provider-calls?limit=3&cursor=${first.next_cursor}`)).calls).toHaveLength(1);
});

describe('rounds', () => {
  it('rounds are listed with their connection, and the list for a player includes promo money', async () => {
    const { rounds } = await read('rounds?player_id=ann');
    expect(rounds).toHaveLength(3);
    expect(rounds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ round_id: 'r-1', bet_total: 10, connection: named('Alpha', alpha) }),
        expect.objectContaining({ round_id: 'r-v', bet_total: 5 }),
        expect.objectContaining({ round_id: 'r-v', bet_total: 3, purse: 'promo' }),
      ]),
    );
    const open = await read('rounds?state=open&player_id=ann');
    expect(open.rounds).toMatchObject([{ round_id: 'r-1' }]);
  });

  it('rounds of a player are listed page by page, from both the cash and the promo account', async () => {
    const whole = (await read('rounds?player_id=ann')).rounds;
    const paged = [];
    let cursor = '';
    do {
      const page = await read(`rounds?player_id=ann&limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.rounds);
      cursor = page.next_cursor ?? '';
    } while (cursor);
    expect(paged).toEqual(whole);
  });

  it('rounds with the same id are separate for each connection', async () => {
    const both = await read('round?round_id=r-1');
    expect(both.events.map((each: { names_round: boolean }) => each.names_round)).toEqual([true, true]);
    const one = await read(`round?round_id=r-1&connection_id=${beta.id}`);
    expect(one).toMatchObject({ bet_total: 7, players: [{ player_id: 'bob' }], events: [{ amount: 7 }] });
    const promo = await read('round?round_id=r-v&player_id=ann');
    expect(promo.events).toMatchObject([
      { amount: 3, purse: 'promo', connection: named('Pam', pam, 'valkyrie') },
      { amount: 5 },
    ]);
  });
});

it('the journal of a player lists cash and promo money together, or the movements of one purse', async () => {
  const lines = (data: { movements: { transaction_id: string; purse?: string }[] }) =>
    data.movements.map(({ transaction_id: id, purse }) => (purse ? `${id} ${purse}` : id));
  const all = ['v-1', 'v-1 promo', 't-1', 'promo-ann promo', 'given-ann'];
  const whole = await read('journal?player_id=ann');
  expect(lines(whole)).toEqual(all);
  const names = whole.movements.map((each: { connection?: { name: string } }) => each.connection?.name);
  expect(names).toEqual(['Pam', 'Pam', 'Alpha', undefined, undefined]);
  expect(lines(await read('journal?player_id=ann&kind=callbacks'))).toEqual(all.slice(0, 3));
  expect(lines(await read('journal?player_id=ann&purse=promo'))).toEqual(['v-1 promo', 'promo-ann promo']);
  const paged: string[] = [];
  let cursor = '';
  do {
    const page = await read(`journal?player_id=ann&limit=1${cursor && `&cursor=${cursor}`}`);
    paged.push(...lines(page));
    cursor = page.next_cursor ?? '';
  } while (cursor);
  expect(paged).toEqual(all);
  const totals = await read('journal/totals?player_id=ann');
  expect(totals).toMatchObject({ movements: 5, changes: { players: '102.00' }, stretch: null });
  const ofPromo = await read('journal/totals?player_id=ann&purse=promo');
  expect(ofPromo.stretch).toEqual({ opening: '0.00', change: '17.00', closing: '17.00', adds_up: true });
  const refused = await member('GET', `${base}/journal?purse=promo`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['purse']]);
});

it('the CSV export of the journal has columns for the purse and the connection', async () => {
  const answer = await given.app.inject({
    url: `/admin/v1/packages/${owner.id}/journal.csv?player_id=ann`,
    headers: { authorization: `Bearer ${(await giveProgram(given)).token}` },
  });
  const [head, ...lines] = answer.body.trimEnd().split('\r\n');
  expect(head).toMatch(/,note,purse,shortfall,connection_id,connection$/);
  const cells = lines.map((line) => line.split(','));
  expect(cells.map((line) => [...line.slice(4, 8), line.at(-4), ...line.slice(-2)])).toEqual([
    ['v-1', 'ann', '5.00', '-5.00', 'cash', pam.id, 'Pam'],
    ['v-1', 'ann', '3.00', '-3.00', 'promo', pam.id, 'Pam'],
    ['t-1', 'ann', '10.00', '-10.00', 'cash', alpha.id, 'Alpha'],
    ['promo-ann', 'ann', '20.00', '20.00', 'promo', '', ''],
    ['given-ann', 'ann', '100.00', '100.00', 'cash', '', ''],
  ]);
});

async function exportDay(format: 'ndjson' | 'csv'): Promise<string[]> {
  const lines: string[] = [];
  const day = { from: new Date('2026-05-04T00:00:00Z'), to: new Date('2026-05-05T00:00:00Z') };
  const write = async (line: string) => void lines.push(line);
  await exportJournal(given.db, given.config.masterKey, { package: owner, ...day, format, write });
  return lines;
}

it('the daily export (NDJSON) names the connections, and marks promo money', async () => {
  const lines = (await exportDay('ndjson')).map((line) => JSON.parse(line));
  const connection = named('Pam', pam, 'valkyrie');
  expect(lines.filter((line) => ['t-1', 'v-1'].includes(String(line.transaction_id)))).toMatchObject([
    { transaction_id: 't-1', player_id: 'ann', amount: '10.00', connection: named('Alpha', alpha) },
    { transaction_id: 't-1', player_id: 'bob', amount: '7.00', connection: named('Beta', beta) },
    { transaction_id: 'v-1', player_id: 'ann', amount: '3.00', purse: 'promo', connection },
    { transaction_id: 'v-1', player_id: 'ann', amount: '5.00', connection },
  ]);
  const own = lines.filter((line) => line.kind === 'credit');
  expect(own).toHaveLength(4);
  for (const line of own) expect(line).not.toHaveProperty('connection');
});

it('the daily export (CSV) names the connections and the purse in its last columns', async () => {
  const lines = (await exportDay('csv')).filter((line) => /,"[tv]-1",/.test(line));
  expect(lines.map((line) => line.replace(/^.*"[0-9a-f]{64}",/, ''))).toEqual([
    `,,"${alpha.id}","Alpha"`,
    `,,"${beta.id}","Beta"`,
    `"promo",,"${pam.id}","Pam"`,
    `,,"${pam.id}","Pam"`,
  ]);
});

it('the feed contains the movements of connections in order', async () => {
  const answer = await given.app.inject({ url: '/api/v1/feed', headers: owner.headers });
  const { movements } = answer.json().data;
  const ofPam = { transaction_id: 'v-1', player_id: 'ann', connection: named('Pam', pam, 'valkyrie') };
  expect(movements.slice(-4)).toMatchObject([
    { transaction_id: 't-1', player_id: 'ann', player_change: -10, connection: named('Alpha', alpha) },
    { transaction_id: 't-1', player_id: 'bob', player_change: -7, connection: named('Beta', beta) },
    { ...ofPam, round_id: 'r-v', player_change: -3, purse: 'promo' },
    { ...ofPam, round_id: 'r-v', player_change: -5 },
  ]);
  expect(movements.length).toBeGreaterThan(4);
  for (const own of movements.slice(0, -4)) expect(own).not.toHaveProperty('connection');
});

it('a player has separate statements for cash and promo money', async () => {
  const cash = await read('player/statement?player_id=ann');
  expect(cash.transactions).toMatchObject([
    { transaction_id: 'v-1', change: -5, balance: 85, connection: named('Pam', pam, 'valkyrie') },
    { transaction_id: 't-1', change: -10, balance: 90, connection: named('Alpha', alpha) },
    { transaction_id: 'given-ann' },
  ]);
  const promo = await read('player/statement?player_id=ann&purse=promo');
  expect(promo.transactions).toMatchObject([
    { transaction_id: 'v-1', change: -3, balance: 17, purse: 'promo', round_id: 'r-v' },
    { transaction_id: 'promo-ann' },
  ]);
});

it('webhooks report the movements and settled rounds of connections', async () => {
  await given.player(owner, { playerId: 'cid', balance: '9000.00' });
  const receiver = await openReceiver();
  const sender = createSender(createAddressGuard({ allowLocal: true }));
  const { db, config, clock } = given;
  const { masterKey, webhooks: settings } = config;
  const made = await member('POST', `${base}/webhooks`, {
    url: receiver.url,
    events: ['balance.changed', 'round.settled'],
  });
  receiver.secret = made.body.data.secret;
  const dispatcher = startWebhookDispatcher({
    ...{ db, masterKey, settings, sender, now: () => clock.now, pauseMs: 20 },
    logger: captureLog('wallet').logger,
    registry: createMetrics('wallet'),
  });
  onTestFinished(async () => {
    await dispatcher.stop();
    await sender.close();
    await receiver.close();
  });
  const received = () => receiver.taken.map(({ event }) => event as { type: string; data: object });
  let sent = 0;
  // The dispatcher reads the journal from the head at the time of its start. It may start after the first
  // bets, so bets are sent until one of them is received.
  await eventually(async () => {
    expect(await betAt(alpha, 'cid', '1.00', `w-${sent++}`)).toBe(200);
    expect(received()).toContainEqual(expect.objectContaining({ type: 'balance.changed' }));
  });
  const bet = { player_id: 'cid', kind: 'bet', change: -1, game_id: 'dice', round_id: 'r-1' };
  expect(received()[0]).toMatchObject({ data: { ...bet, connection: named('Alpha', alpha) } });
  expect(await withdraw({ cash: 2, promo: 1, id: 'v-2' })).toBe(200);
  const connection = named('Pam', pam, 'valkyrie');
  await eventually(() => {
    const settled = received().filter(({ type }) => type === 'round.settled');
    expect(settled.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ player_id: 'ann', round_id: 'v-2', bet_total: 2, connection }),
        expect.objectContaining({ round_id: 'v-2', bet_total: 1, purse: 'promo', connection }),
      ]),
    );
  });
});

it('a movement of promo money cannot be replayed as a callback', async () => {
  await member('POST', `${base}/sandbox`);
  const { movements } = await read('journal?player_id=ann&purse=promo&kind=bet');
  const { sequence } = movements[0];
  const answer = await member('POST', `${base}/callbacks/replay`, { sequence });
  expect([answer.status, answer.body.code]).toEqual([404, 'transaction_not_found']);
});

it('verify finds no flaw in a journal with movements of connections', async () => {
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
});

it('after a connection was deleted, its transactions, rounds and calls are still found', async () => {
  const gone = await member('DELETE', `${base}/connections/${beta.id}`);
  expect(gone.status).toBe(200);
  const connection = named('Beta', beta);
  const found = await read('transactions/t-1');
  expect(found.deliveries).toEqual(expect.arrayContaining([expect.objectContaining({ connection })]));
  expect((await read('round?round_id=r-1&player_id=bob')).players).toEqual(
    expect.arrayContaining([expect.objectContaining({ connection, bet_total: 7 })]),
  );
  expect((await read('provider-calls?transaction_id=t-1')).calls).toEqual(
    expect.arrayContaining([expect.objectContaining({ connection })]),
  );
  const { movements } = await read('journal?player_id=bob&kind=bet');
  expect(movements).toContainEqual(expect.objectContaining({ transaction_id: 't-1', connection }));
});
