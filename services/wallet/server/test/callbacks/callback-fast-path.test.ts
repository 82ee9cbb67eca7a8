// game/callback answers the same on the fast path and in the router.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { presentAnswer } from '../environment/answers.ts';
import { callbackHeaders } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram } from '../environment/people.ts';

const path = '/api/v1/game/callback';
let given: Given;
let url: string;
let routed = 0;
let counter = 0;

beforeAll(async () => {
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' }, {}, (app) => {
    app.addHook('onRequest', async () => {
      routed++;
    });
  });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(given.app.server.address() as { port: number }).port}${path}`;
});

afterAll(() => given.close());

type Names = { player: string; id: string };
type Way = (of: GivenPackage, body: string, headers?: Record<string, string>) => Promise<string>;

const overRouter: Way = async (of, payload, headers = {}) => {
  const answer = await given.app.inject({
    method: 'POST',
    url: path,
    headers: { ...callbackHeaders(of), ...headers },
    payload,
  });
  return presentAnswer(answer.statusCode, Object.entries(answer.headers), answer.body);
};

const overSocket: Way = async (of, body, headers = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...callbackHeaders(of), ...headers },
    body,
  });
  return presentAnswer(answer.status, [...answer.headers], await answer.text());
};

const bet = ({ player, id }: Names, more: object = {}) => ({
  action: 'bet',
  player_id: player,
  transaction_id: id,
  amount: 1.25,
  ...more,
});
const rollback = (names: Names, more: object = {}) => ({
  ...bet(names, { action: 'rollback', transaction_id: `${names.id}-r` }),
  reference_transaction_id: names.id,
  ...more,
});
const win = (names: Names, more: object = {}) =>
  bet(names, { action: 'win', transaction_id: `${names.id}-w`, ...more });
const both = (names: Names, more: object = {}) => ({
  ...bet(names, { action: 'bet_win', bet_amount: 2, win_amount: 0, ...more }),
});

/** Each sequence is sent to the router and to the fast path, for equal players of two equal packages. */
const sequences: Record<string, (names: Names) => (object | string)[]> = {
  bets: (n) => [bet(n), bet(n), bet(n, { amount: 2 }), bet(n, { round_id: 'r' })],
  'an amount of zero, and an amount as a text': (n) => [bet(n, { amount: 0 }), win(n, { amount: '3.10' })],
  'bets without funds': (n) => [bet(n, { amount: 500 }), bet(n, { amount: 500 }), rollback(n)],
  wins: (n) => [
    win(n, { reference_transaction_id: n.id }),
    bet(n, { round_id: `${n.id}-r`, game_id: 'g' }),
    win(n, { reference_transaction_id: n.id, round_id: `${n.id}-r`, round_finished: true }),
    win(n, { transaction_id: `${n.id}-2`, round_id: `${n.id}-r` }),
    bet(n, { transaction_id: `${n.id}-3`, round_id: `${n.id}-r` }),
    rollback(n),
  ],
  rollbacks: (n) => [bet(n), rollback(n), rollback(n), rollback(n, { transaction_id: `${n.id}-q` })],
  tombstones: (n) => [rollback(n, { action: 'cancel' }), bet(n), win(n), rollback(n)],
  bet_win: (n) => [both(n), both(n), both(n, { win_amount: 1 }), rollback(n), bet(n)],
  'end of a round': (n) => [
    { action: 'end_round', player_id: n.player, round_id: `${n.id}-e` },
    { action: 'end_round', player_id: n.player, round_id: `${n.id}-e`, transaction_id: 'x' },
    bet(n, { round_id: `${n.id}-e` }),
  ],
  balance: (n) => [{ action: 'balance', player_id: n.player }],
  sessions: (n) => [bet(n, { session_id: 'gs_none' }), win(n, { session_id: 'gs_none' })],
  'nulls and unknown fields': (n) => [
    bet(n, { game_id: null, round_id: null, currency: null, session_id: null, more: [1] }),
    bet(n, { currency: 'EUR', round_finished: null }),
  ],
  'invalid requests': (n) => [
    bet(n, { amount: 1.001 }),
    bet(n, { amount: null }),
    bet(n, { currency: 'USD' }),
    bet(n, { player_id: 'nobody' }),
    bet(n, { transaction_id: '' }),
    bet(n, { transaction_id: 'a"b\\c' }),
    bet(n, { transaction_id: 'é€' }),
    bet(n, { action: 'dance' }),
    bet(n, { round_finished: 1 }),
    rollback(n, { reference_transaction_id: null }),
    { action: 'end_round', player_id: n.player },
    { action: 'balance' },
    '[]',
    '{',
    '""',
    `{"action":"bet","__proto__":{"a":1}}`,
  ],
};

/**
 * Two alert thresholds. With the first threshold, answers contain no credit alert. With the second threshold,
 * answers contain a credit alert.
 */
const alerts = [0n, 100_000_000n];
let pairsByAlert: (readonly [GivenPackage, GivenPackage])[];

beforeAll(async () => {
  pairsByAlert = await Promise.all(alerts.map((alertThreshold) => givePair({ alertThreshold })));
});

async function givePair(more: Parameters<Given['package']>[0] = {}) {
  const wanted = { credit: '10000.00', ...more };
  return [await given.package(wanted), await given.package(wanted)] as const;
}

it.each(Object.entries(sequences))(
  'router and fast path give the same answers: %s',
  async (_name, makeBodies) => {
    for (const pair of pairsByAlert) {
      const names = { player: `pair-${++counter}`, id: `t-${counter}` };
      const answered: string[][] = [];
      for (const [i, way] of [overRouter, overSocket].entries()) {
        const of = pair[i] as GivenPackage;
        await given.player(of, { playerId: names.player, balance: '100.00' });
        // This request goes through the router, which caches the package and the player for the fast path.
        await overRouter(of, JSON.stringify(bet({ ...names, id: 'warm' }, { amount: 0 })));
        const answers: string[] = [];
        for (const body of makeBodies(names)) {
          answers.push(await way(of, typeof body === 'string' ? body : JSON.stringify(body)));
        }
        answered.push(answers);
      }
      expect(answered[1]).toEqual(answered[0]);
    }
  },
);

it('fast path and router refuse new bets of a blocked player, and answer repeats of older bets', async () => {
  const pair = await givePair();
  const names = { player: 'blocked-pair', id: 'old' };
  const answered: string[][] = [];
  for (const [i, way] of [overRouter, overSocket].entries()) {
    const of = pair[i] as GivenPackage;
    await given.player(of, { playerId: names.player, balance: '100.00' });
    await overRouter(of, JSON.stringify(bet(names)));
    await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/status',
      headers: of.headers,
      payload: { player_id: names.player, status: 'blocked' },
    });
    const bodies = [bet({ ...names, id: 'new' }), bet(names), both(names), win(names)];
    const answers: string[] = [];
    for (const body of bodies) answers.push(await way(of, JSON.stringify(body)));
    answered.push(answers);
  }
  expect(answered[1]).toEqual(answered[0]);
  expect(answered[0]?.map((answer) => answer.slice(0, 3))).toEqual(['403', '200', '409', '200']);
});

it('a callback goes to the router if it has text beyond ASCII or needs a signature', async () => {
  const owner = await given.package();
  const player = await given.player(owner, { balance: '100.00' });
  const send = async (of: GivenPackage, body: object) => {
    const before = routed;
    const answer = await overSocket(of, JSON.stringify(body));
    return [answer.slice(0, 3), routed - before];
  };
  const names = { player, id: 'cut' };
  await overRouter(owner, JSON.stringify(bet({ player, id: 'first' })));
  expect(await send(owner, bet(names))).toEqual(['200', 0]);
  expect(await send(owner, bet(names))).toEqual(['200', 0]);
  expect(await send(owner, win(names))).toEqual(['200', 0]);
  expect(await send(owner, rollback(names))).toEqual(['200', 0]);
  expect(await send(owner, bet(names, { amount: 9 }))).toEqual(['409', 0]);
  expect(await send(owner, bet({ player, id: 'é' }))).toEqual(['200', 1]);
  const status = { player_id: player, status: 'blocked' };
  const blocking = { method: 'POST', url: '/api/v1/user/status', headers: owner.headers } as const;
  await given.app.inject({ ...blocking, payload: status });
  expect((await send(owner, bet({ player, id: 'blocked' })))[0]).toBe('403');
  const signed = await given.package({ callbackSecurity: 'signed' });
  expect(await send(signed, bet({ player, id: 'plain' }))).toEqual(['401', 1]);
  const far = await given.package({ callbackAddresses: ['192.0.2.1'] });
  await overRouter(far, '{}');
  expect((await send(far, bet({ player, id: 'far' })))[0]).toBe('403');
});

it('the fast path writes repeats, refusals and conflicts to the callback log', async () => {
  const owner = await given.package();
  const player = await given.player(owner, { balance: '100.00' });
  const names = { player, id: 'noted' };
  await overRouter(owner, JSON.stringify(bet({ player, id: 'first' })));
  const before = routed;
  for (const body of [bet(names), bet(names), bet(names, { amount: 7 })]) {
    await overSocket(owner, JSON.stringify(body));
  }
  await overSocket(owner, JSON.stringify(win(names, { reference_transaction_id: 'unseen' })));
  expect(routed).toBe(before);
  const { send } = await giveProgram(given);
  await eventually(async () => {
    const { data } = (await send('GET', `/admin/v1/packages/${owner.id}/callbacks`)).body;
    const lines = data.callbacks.map((line: Record<string, unknown>) =>
      [line.status, line.code, line.field, line.result, line.address].join(' '),
    );
    expect(lines.sort()).toEqual([
      '200   applied 127.0.0.1',
      '404 bet_not_found   127.0.0.1',
      '409 transaction_conflict amount  127.0.0.1',
    ]);
  });
});
