// Reads the effects of stored callbacks: rounds, the callback log, the transaction inspector and the feed.
import { eventually } from '@counterfoil/kit/testing/eventually';
import type { WalletDeps } from '@counterfoil/wallet-server/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider, type Provider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let provider: Provider;
let clients: { send: Send; prefix: string }[];
let stranger: Send;

beforeAll(async () => {
  const deps = (defaults: WalletDeps) => ({ ...defaults, logEveryMs: 20 });
  given = await givenWallet({}, {}, undefined, { deps });
  owner = await given.package({ credit: '100000.00' });
  provider = createProvider(given, owner);
  clients = [
    { send: (await giveProgram(given)).send, prefix: `/admin/v1/packages/${owner.id}` },
    { send: (await giveAdministrator(given)).send, prefix: `/panel/admin/packages/${owner.id}` },
    {
      send: (await giveMember(given, owner, 'member')).send,
      prefix: `/panel/packages/${owner.id}`,
    },
  ];
  stranger = (await giveMember(given, await given.package(), 'owner')).send;
});

afterAll(() => given.close());

const get = async (url: string, of: GivenPackage = owner) => {
  const answer = await given.app.inject({ url, headers: of.headers });
  return { status: answer.statusCode, body: answer.json() };
};
const play = async (body: object) => {
  const answer = await provider.send(body);
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  return answer.body;
};

async function playRound(round: string): Promise<{ ann: string; bob: string }> {
  const ann = await given.player(owner, { balance: '100.00' });
  const bob = await given.player(owner, { balance: '100.00' });
  const of = (player: string, id: string) => ({
    player_id: player,
    transaction_id: `${round}-${id}`,
    game_id: 'g',
  });
  const round_id = round;
  await play({ action: 'bet', ...of(ann, 'b1'), amount: 10, round_id });
  await play({ action: 'bet', ...of(bob, 'b2'), amount: 5, round_id });
  await play({ action: 'bet', ...of(ann, 'b3'), amount: 20, round_id });
  // These two callbacks name no round. The rollback refers to a bet of this round, but the win refers to no
  // bet.
  const reference = { reference_transaction_id: `${round}-b3` };
  await play({ action: 'rollback', ...of(ann, 'r'), ...reference });
  await play({ action: 'win', ...of(ann, 'elsewhere'), amount: 1 });
  const won = { reference_transaction_id: `${round}-b1`, round_finished: true, round_id };
  await play({ action: 'win', ...of(ann, 'w'), amount: 15, ...won });
  return { ann, bob };
}

const listAll = async (send: Send, url: string) => {
  const found: { round_id: string; player_id: string; state: string }[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await send('GET', `${url}${cursor}`);
    found.push(...body.data.rounds);
    if (body.data.next_cursor === null) return found;
    cursor = `&cursor=${body.data.next_cursor}`;
  }
};

describe('a round', () => {
  it('a round shows its events in order, with totals and state, for all players or one player', async () => {
    const { ann, bob } = await playRound('whole');
    const { data } = (await get('/api/v1/round?round_id=whole')).body;
    expect(data).toMatchObject({
      round_id: 'whole',
      state: 'open',
      currency: 'EUR',
      bet_total: 15,
      win_total: 15,
      truncated: false,
      players: [
        { player_id: ann, game_id: 'g', state: 'closed', bet_total: 10, win_total: 15 },
        { player_id: bob, state: 'open', bet_total: 5, win_total: 0, closed_at: null },
      ],
    });
    const lines = data.events.map((event: Record<string, unknown>) => [
      event.player_id,
      event.kind,
      event.change,
      event.result,
      event.names_round,
    ]);
    expect(lines).toEqual([
      [ann, 'bet', -10, 'applied', true],
      [bob, 'bet', -5, 'applied', true],
      [ann, 'bet', -20, 'applied', true],
      [ann, 'rollback', 20, 'rolled_back', false],
      [ann, 'win', 15, 'applied', true],
    ]);
    const own = (await get(`/api/v1/round?round_id=whole&player_id=${ann}`)).body.data;
    expect(own).toMatchObject({ state: 'closed', bet_total: 10, win_total: 15 });
    expect(own.events).toHaveLength(4);
    for (const { send, prefix } of clients) {
      const shown = await send('GET', `${prefix}/round?round_id=whole`);
      expect(shown.body.data).toEqual(data);
    }
  });

  it('a rollback that named a different round is shown, and the rolled-back bet does not count', async () => {
    const player_id = await given.player(owner, { balance: '100.00' });
    const bet = { action: 'bet', player_id, game_id: 'g', amount: 10 };
    await play({ ...bet, transaction_id: 'crossed-1', round_id: 'crossed' });
    await play({ ...bet, transaction_id: 'crossed-2', round_id: 'named' });
    await play({
      action: 'rollback',
      player_id,
      transaction_id: 'crossed-3',
      round_id: 'named',
      reference_transaction_id: 'crossed-1',
    });
    const shown = async (round: string) => {
      const { data } = (await get(`/api/v1/round?round_id=${round}`)).body;
      const events = data.events.map((event: { kind: string; names_round: boolean }) => [
        event.kind,
        event.names_round,
      ]);
      return [data.bet_total, events];
    };
    const bets = [['bet', true]];
    expect(await shown('crossed')).toEqual([0, [...bets, ['rollback', false]]]);
    expect(await shown('named')).toEqual([10, [...bets, ['rollback', true]]]);
  });

  it('a round is void and not listed as open while its only bet is refused or rolled back', async () => {
    const ann = await given.player(owner, { balance: '10.00' });
    const of = (id: string, round_id: string) => ({ player_id: ann, transaction_id: id, round_id });
    const poor = await provider.send({
      action: 'bet',
      ...of('void-1', 'void-refused'),
      amount: 11,
    });
    expect(poor.status).toBe(422);
    await play({ action: 'bet', ...of('void-2', 'void-rolled-back'), amount: 4 });
    const taken = { reference_transaction_id: 'void-2' };
    await play({ action: 'rollback', player_id: ann, transaction_id: 'void-3', ...taken });
    const read = async () => {
      const [{ send, prefix }] = clients as [(typeof clients)[number]];
      const rounds = await listAll(send, `${prefix}/rounds?state=open&player_id=${ann}`);
      const states = ['void-refused', 'void-rolled-back'].map(
        async (id) => (await get(`/api/v1/round?round_id=${id}`)).body.data.state,
      );
      return { open: rounds.map((round) => round.round_id), states: await Promise.all(states) };
    };
    expect(await read()).toEqual({ open: [], states: ['void', 'void'] });
    await play({ action: 'bet', ...of('void-4', 'void-refused'), amount: 3 });
    expect(await read()).toEqual({ open: ['void-refused'], states: ['open', 'void'] });
  });

  it('a round stays open while it has a bet of amount 0, even if its other bet is rolled back', async () => {
    const player_id = await given.player(owner, { balance: '10.00' });
    const bet = (transaction_id: string, round_id: string, amount: number) =>
      play({ action: 'bet', player_id, transaction_id, round_id, amount });
    const rollBack = (id: string) =>
      play({
        action: 'rollback',
        player_id,
        transaction_id: `back-${id}`,
        reference_transaction_id: id,
      });
    const read = async () => {
      const [{ send, prefix }] = clients as [(typeof clients)[number]];
      const rounds = await listAll(send, `${prefix}/rounds?state=open&player_id=${player_id}`);
      return rounds.map((round) => round.round_id);
    };
    await bet('free-1', 'free-and-paid', 0);
    await bet('free-2', 'free-and-paid', 1);
    await bet('free-3', 'two-free', 0);
    await bet('free-4', 'two-free', 0);
    await rollBack('free-2');
    await rollBack('free-3');
    expect((await read()).sort()).toEqual(['free-and-paid', 'two-free']);
    await rollBack('free-1');
    await rollBack('free-4');
    expect(await read()).toEqual([]);
    const { data } = (await get('/api/v1/round?round_id=two-free')).body;
    expect([data.state, data.bet_total]).toEqual(['void', 0]);
  });

  it('a win of 0 does not open a round whose bets are all refused or rolled back', async () => {
    const player_id = await given.player(owner, { balance: '10.00' });
    const send = (action: string, transaction_id: string, more: object) =>
      provider.send({ action, player_id, transaction_id, ...more });
    await send('bet', 'zero-1', { round_id: 'zero-refused', amount: 11 });
    await send('win', 'zero-1', { round_id: 'zero-refused', amount: 0 });
    await send('bet', 'zero-2', { round_id: 'zero-back', amount: 1 });
    await send('rollback', 'zero-2', { reference_transaction_id: 'zero-2' });
    await send('win', 'zero-2', { round_id: 'zero-back', amount: 0 });
    await send('win', 'zero-3', { round_id: 'zero-alone', amount: 0 });
    const [{ send: ask, prefix }] = clients as [(typeof clients)[number]];
    expect(await listAll(ask, `${prefix}/rounds?state=open&player_id=${player_id}`)).toEqual([]);
    for (const id of ['zero-refused', 'zero-back', 'zero-alone']) {
      const { data } = (await get(`/api/v1/round?round_id=${id}`)).body;
      expect([data.state, data.bet_total, data.win_total]).toEqual(['void', 0, 0]);
    }
  });

  it('a round of another package gets the same answer as an unknown round', async () => {
    await playRound('secret');
    const other = await given.package();
    const none = await get('/api/v1/round?round_id=nowhere', other);
    const foreign = await get('/api/v1/round?round_id=secret', other);
    const plain = ({ status, body }: typeof none) => [status, { ...body, request_id: '' }];
    expect(none.status).toBe(404);
    expect(plain(foreign)).toEqual(plain(none));
    for (const rest of ['rounds', 'round?round_id=secret', 'callbacks', 'transactions/secret-b1']) {
      const answer = await stranger('GET', `/panel/packages/${owner.id}/${rest}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'package_not_found']);
    }
  });
});

describe('the list of rounds', () => {
  it('rounds of all players or one player are listed newest first, open rounds oldest first', async () => {
    const lone = await given.player(owner, { balance: '100.00' });
    const before = given.clock.now;
    const names = Array.from({ length: 7 }, (_, i) => `list-${i}`);
    try {
      for (const [i, round_id] of names.entries()) {
        given.clock.now = new Date(before.getTime() + i * 60_000);
        const bet = { action: 'bet', player_id: lone, transaction_id: round_id, amount: 1 };
        await play({ ...bet, round_id, round_finished: i % 2 === 1 });
        await play({ action: 'win', player_id: lone, transaction_id: round_id, amount: 1 });
      }
      const [{ send, prefix }] = clients as [(typeof clients)[number]];
      const mine = await listAll(send, `${prefix}/rounds?limit=2&player_id=${lone}`);
      expect(mine.map((round) => round.round_id)).toEqual([...names].reverse());
      const all = await listAll(send, `${prefix}/rounds?limit=3`);
      expect(all.slice(0, 7).map((round) => round.round_id)).toEqual([...names].reverse());
      expect(new Set(all.map((round) => `${round.round_id} ${round.player_id}`)).size).toBe(all.length);
      const open = await listAll(send, `${prefix}/rounds?limit=2&state=open&player_id=${lone}`);
      expect(open.map((round) => round.round_id)).toEqual(['list-0', 'list-2', 'list-4', 'list-6']);
      const old = `${prefix}/rounds?limit=2&state=open&player_id=${lone}&older_than=3m`;
      expect((await listAll(send, old)).map((round) => round.round_id)).toEqual(['list-0', 'list-2']);
    } finally {
      given.clock.now = before;
    }
  });

  it.each([
    'state=closed',
    'older_than=1h',
    'state=open&older_than=0h',
    'state=open&older_than=soon',
    'cursor=x',
    'state=open&cursor=cm91bmRzOjE',
    'limit=0',
    'player_id=nobody',
  ])('the list refuses the query %s', async (query) => {
    for (const { send, prefix } of clients) {
      const answer = await send('GET', `${prefix}/rounds?${query}`);
      expect([400, 404]).toContain(answer.status);
    }
  });
});

describe('the callback log and the inspector', () => {
  it('log and inspector show repeats and refusals; only the inspector shows the first delivery', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const bet = { action: 'bet', player_id: player, transaction_id: 'logged', amount: 2 };
    await play(bet);
    await play(bet);
    await play(bet);
    expect((await provider.send({ ...bet, amount: 3 })).status).toBe(409);
    expect((await provider.send({ ...bet, amount: 'x' })).status).toBe(400);
    const win = { ...bet, action: 'win', reference_transaction_id: 'unseen-bet' };
    expect((await provider.send(win)).status).toBe(404);
    const update = { player_id: player, type: 'credit', amount: 1, transaction_id: 'logged' };
    await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/update_balance',
      headers: owner.headers,
      payload: update,
    });
    await eventually(async () => {
      for (const { send, prefix } of clients) {
        const { body } = await send('GET', `${prefix}/callbacks?transaction_id=logged`);
        const lines = body.data.callbacks.map((line: Record<string, unknown>) => [
          line.outcome,
          line.action,
          line.status,
          line.code,
          line.field,
        ]);
        // Repeats are merged into one line, unless the log is written between two repeats.
        expect(new Set(lines.map(String))).toEqual(
          new Set(
            [
              ['repeated', 'bet', 200, null, null],
              ['refused', 'bet', 409, 'transaction_conflict', 'amount'],
              ['refused', 'bet', 400, 'invalid_amount', null],
              ['refused', 'win', 404, 'bet_not_found', null],
            ].map(String),
          ),
        );
        const repeats: Record<string, unknown>[] = body.data.callbacks.filter(
          (line: { status: number }) => line.status === 200,
        );
        expect(repeats.map((line) => Number(line.attempts)).reduce((a, b) => a + b)).toBe(2);
        for (const line of repeats) {
          expect(line).toMatchObject({ result: 'applied', player_id: player });
        }
      }
    });
    for (const { send, prefix } of clients) {
      const { body } = await send('GET', `${prefix}/transactions/logged`);
      expect(body.data.deliveries).toMatchObject([
        { space: 'provider', kind: 'bet', player_id: player, amount: 2, balance: 3 },
        { space: 'caller', kind: 'credit', player_id: player, amount: 1, balance: 4 },
      ]);
      const { attempts } = body.data as { attempts: { status: number; attempts: number }[] };
      expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([200, 400, 404, 409]));
      expect(attempts.reduce((sum, each) => sum + each.attempts, 0)).toBe(5);
      expect((await send('GET', `${prefix}/transactions/never`)).body.code).toBe('transaction_not_found');
    }
  });

  it('the log lists callbacks in pages; the inspector finds ids with special characters', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const odd = 'a/b?c=%25 é€𝄞';
    await play({ action: 'bet', player_id: player, transaction_id: odd, amount: 1 });
    for (let i = 0; i < 5; i++) {
      await provider.send({ action: 'bet', player_id: player, transaction_id: `log-${i}` });
    }
    const [{ send, prefix }] = clients as [(typeof clients)[number]];
    const { body } = await send('GET', `${prefix}/transactions/${encodeURIComponent(odd)}`);
    expect(body.data.deliveries).toHaveLength(1);
    await eventually(async () => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const url = `${prefix}/callbacks?limit=2&player_id=${player}${cursor}`;
        const { data } = (await send('GET', url)).body;
        found.push(...data.callbacks.map((line: { transaction_id: string }) => line.transaction_id));
        if (data.next_cursor === null) break;
        cursor = `&cursor=${data.next_cursor}`;
      }
      expect([...found].sort()).toEqual(['log-0', 'log-1', 'log-2', 'log-3', 'log-4']);
    });
  });
});

describe('the feed', () => {
  it("the feed and the player's statement contain the round of each movement", async () => {
    const other = await given.package({ credit: '100.00' });
    const player = await given.player(other, { balance: '5.00' });
    const feeder = createProvider(given, other);
    const bet = { action: 'bet', player_id: player, amount: 1, round_id: 'round-of-names' };
    await feeder.send({ ...bet, transaction_id: 'named' });
    await feeder.send({ ...bet, transaction_id: 'alone', round_id: undefined });
    const { movements } = (await get('/api/v1/feed', other)).body.data;
    const idsOf = (lines: { transaction_id: string; round_id: string | null }[]) =>
      Object.fromEntries(lines.map((line) => [line.transaction_id, line.round_id]));
    const wanted = { named: 'round-of-names', alone: null };
    expect(idsOf(movements)).toMatchObject(wanted);
    const path = `/api/v1/user/transactions?player_id=${player}`;
    const { transactions } = (await get(path, other)).body.data;
    expect(idsOf(transactions)).toMatchObject(wanted);
  });

  it('the feed lists every movement once, in order and without gaps, even during writes', async () => {
    const other = await given.package();
    const feeder = createProvider(given, other);
    const player = await given.player(other, { balance: '100.00' });
    const writing = Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        feeder.send({ action: 'bet', player_id: player, transaction_id: `f-${i}`, amount: 0.1 }),
      ),
    );
    const seen: number[] = [];
    let done = false;
    const end = () => {
      done = true;
    };
    void writing.then(end, end);
    for (let after = 0, last = false; !last; ) {
      last = done;
      const { data } = (await get(`/api/v1/feed?limit=7&after=${after}`, other)).body;
      seen.push(...data.movements.map((line: { sequence: number }) => line.sequence));
      after = data.next_after;
      last = last && !data.has_more;
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 202 }, (_, i) => i + 1));
    const first = (await get('/api/v1/feed?limit=3', other)).body.data.movements;
    expect(first).toMatchObject([
      { kind: 'top_up', player_id: null, credit_change: 1000, player_change: 0, balance: 1000 },
      { kind: 'credit', player_id: player, credit_change: -100, player_change: 100, balance: 100 },
      { kind: 'bet', player_id: player, credit_change: 0, player_change: -0.1 },
    ]);
    const sum = (await get('/api/v1/feed?limit=1000', other)).body.data.movements.reduce(
      (total: number, line: { player_change: number }) => total + line.player_change * 100,
      0,
    );
    expect(Math.round(sum)).toBe((await feeder.balance(player)) * 100);
  });

  it.each(['after=x', 'after=-1', 'limit=0', 'limit=1001', 'limit=ten'])(
    'the feed refuses the query %s',
    async (query) => {
      expect((await get(`/api/v1/feed?${query}`)).body.code).toBe('invalid_parameter');
    },
  );
});
