// The stand-in provider plays rounds in every dialect against the real wallet, without faults and with
// faults.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiToken, ask, control, openProvider, settled } from '../../services/provider/test/given.ts';
import { registerPackages } from '../../services/wallet/server/src/packages/registration/registrar.ts';
import { verifyLedger } from '../../services/wallet/server/src/proof/verify-ledger.ts';
import { readDemoCredentials } from '../../services/wallet/server/src/seed/demo-connections.ts';
import { seedDemo } from '../../services/wallet/server/src/seed/seed.ts';
import { type Given, givenWallet } from '../../services/wallet/server/test/environment/given.ts';
import { controlClock } from './site-clock.ts';

interface DemoPackage {
  readonly uid: string;
  readonly api_key: string;
  readonly api_secret: string;
}

let provider: Awaited<ReturnType<typeof openProvider>>;
let wallet: Given;
let packages: readonly DemoPackage[];
let connections: readonly { id: string; package_uid: string; dialect: string }[];

let drawn = 0;
/** Draws a red and a black number alternately, so that a bet on red wins every other round. */
const draw = () => (drawn++ % 2 === 0 ? 3 : 2);

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-dialects-'));
  provider = await openProvider({ dataDir, draw });
  const port = await findFreePort();
  wallet = await givenWallet({
    WALLET_PORT: String(port),
    PROVIDER_PRIVATE_URL: `${provider.url}/private`,
    PROVIDER_PUBLIC_URL: `${provider.url}/public`,
    PROVIDER_API_TOKEN: apiToken,
  });
  controlClock(wallet.clock);
  await wallet.app.listen({ host: '127.0.0.1', port });
  const { db, config, upstream } = wallet;
  await seedDemo(db, config.masterKey);
  const demo = await readDemoCredentials(db, config.masterKey, config.publicUrl);
  packages = demo?.packages as DemoPackage[];
  connections = demo?.connections ?? [];
  await registerPackages({
    ...{ db, upstream, masterKey: config.masterKey, callbackUrl: `${config.publicUrl}/api/v1/game/callback` },
    ...{ logger: createLogger({ service: 'wallet', level: 'silent' }), now: () => wallet.clock.now },
  });
  for (const entry of connections) await control(provider, 'connections', entry, 'POST');
});

afterAll(async () => {
  await wallet.close();
  await provider.close();
  await rm(provider.dataDir, { recursive: true, force: true });
});

type Json = Record<string, unknown>;

async function call(of: DemoPackage, path: string, body?: object): Promise<Json> {
  const headers = { 'x-uid': of.uid, 'x-api-key': of.api_key, 'x-api-secret': of.api_secret };
  const answer = await ask(`${wallet.config.publicUrl}/api/v1/${path}`, { headers, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}`);
  return (answer.body as { data: Json }).data;
}

const balanceOf = async (of: DemoPackage, player: string) =>
  (await call(of, `user/balance?player_id=${player}`)).balance as number;

/** Creates a player with a balance of 100.00 and opens roulette for that player in the given dialect. */
async function givenGame(dialect: string, player: string, calls: 'separate' | 'one') {
  const { id, package_uid: uid } = connections.find((each) => each.dialect === dialect) ?? fail(dialect);
  const of = packages.find((each) => each.uid === uid) ?? fail(uid);
  const chosen = await control(provider, `protocols/${uid}`, { connection: id, calls });
  expect(chosen.status).toBe(200);
  await call(of, 'user/create', { player_id: player });
  const funds = { player_id: player, type: 'credit', amount: 100, transaction_id: `funds-${player}` };
  await call(of, 'user/update_balance', funds);
  const launched = await call(of, 'game/launch', { player_id: player, game_id: 'harbour-roulette' });
  const url = String(launched.launch_url);
  const page = await fetch(url);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const state = (await ask(`${url}/api/state`, { headers: { cookie } })).body as Json;
  const [bet = 0] = state.bets_minor as number[];
  const scale = 10 ** Number(state.decimals);
  expect(state.balance).toBe(100);
  const spin = (round: number) =>
    ask(`${url}/api/spin`, { headers: { cookie }, body: { round, bet_minor: bet, field: 'red' } });
  return { of, spin, bet, scale };
}

function fail(what: string): never {
  throw new Error(`${what} is missing`);
}

/** Expects that the wallet has one closed round for each round that was played, with the same bet and win. */
async function expectRounds(of: DemoPackage, player: string, totals: readonly [bet: number, win: number][]) {
  const { rows } = await wallet.db.query<{ bet: number; win: number; closed: boolean }>(
    `select r.bet_total::float8 as bet, r.win_total::float8 as win, r.closed_at is not null as closed
     from rounds r join players p on p.package_id = r.package_id and p.account_id = r.account_id
     join packages k on k.id = r.package_id
     where k.uid = $1 and p.player_id = $2 order by r.last_sequence`,
    [of.uid, player],
  );
  expect(rows).toEqual(totals.map(([bet, win]) => ({ bet, win, closed: true })));
}

async function expectProof({ uid }: DemoPackage) {
  const { rows } = await wallet.db.query<{ id: number }>('select id from packages where uid = $1', [uid]);
  expect((await verifyLedger(wallet.db, rows[0]?.id ?? 0)).flaws).toEqual([]);
}

const games = [
  ['softswiss', 'separate'],
  ['softswiss', 'one'],
  ['slotegrator', 'separate'],
  ['valkyrie', 'separate'],
  ['hub88', 'separate'],
] as const;

async function playRounds(game: Awaited<ReturnType<typeof givenGame>>, player: string, rounds: number) {
  const totals: [number, number][] = [];
  let shown: unknown;
  for (let round = 1; round <= rounds; round++) {
    const { status, body } = await game.spin(round);
    expect([status, body]).toMatchObject([200, { settled: true }]);
    const { bet_minor: bet, win_minor: win, balance } = body as Record<string, number>;
    totals.push([Number(bet), Number(win)]);
    shown = balance;
  }
  await settled(provider);
  const change = totals.reduce((sum, [bet, win]) => sum + win - bet, 0);
  const balance = await balanceOf(game.of, player);
  expect(balance).toBe((100 * game.scale + change) / game.scale);
  await expectRounds(game.of, player, totals);
  await expectProof(game.of);
  return { shown, balance };
}

describe.each(games)('rounds in the dialect %s (calls for bet and win: %s)', (dialect, calls) => {
  it('after ten rounds, game and wallet show the same balance, and all rounds are closed', async () => {
    const player = `ten-${dialect}-${calls}`;
    const { shown, balance } = await playRounds(await givenGame(dialect, player, calls), player, 10);
    expect(shown).toBe(balance);
    const { body } = await control(provider, 'deliveries');
    const { deliveries } = body as { deliveries: { protocol: string }[] };
    const latest = deliveries.slice(0, 10).map(({ protocol }) => protocol);
    expect(latest).toEqual(Array(10).fill(dialect));
  });

  it.each([
    ['duplicates', { duplicate_callbacks: true }],
    ['lost answers', { lose_answers: 2 }],
    ['reordering', { reorder_callbacks: true }],
    [
      'four faults together',
      {
        ...{ duplicate_callbacks: true, lose_answers: 1, reorder_callbacks: true, delay_callbacks_ms: 1 },
      },
    ],
  ])('with %s, the wallet settles every round exactly once', async (name, faults) => {
    const player = `${name}-${dialect}-${calls}`.replaceAll(' ', '-');
    const game = await givenGame(dialect, player, calls);
    await control(provider, 'faults', faults);
    try {
      await playRounds(game, player, 4);
    } finally {
      await control(provider, 'faults', {});
    }
  });

  it.each([
    ['in order', {}],
    ['after its win', { reorder_callbacks: true }],
  ])('a bet that is sent %s is rolled back if all answers to the bet are lost', async (name, faults) => {
    const player = `undone-${name}-${dialect}-${calls}`.replaceAll(' ', '-');
    const game = await givenGame(dialect, player, calls);
    await control(provider, 'faults', { ...faults, lose_answers: 4 });
    expect(await game.spin(1)).toMatchObject({ status: 503, body: { code: 'wallet_unreachable' } });
    await control(provider, 'faults', {});
    await settled(provider);
    expect(await balanceOf(game.of, player)).toBe(100);
    await expectProof(game.of);
  });

  it('a bet above the balance is refused, and no money moves', async () => {
    const player = `poor-${dialect}-${calls}`;
    const game = await givenGame(dialect, player, calls);
    const debit = { player_id: player, type: 'debit', amount: 100, transaction_id: `debit-${player}` };
    await call(game.of, 'user/update_balance', debit);
    expect(await game.spin(1)).toMatchObject({ status: 422, body: { code: 'insufficient_funds' } });
    expect(await balanceOf(game.of, player)).toBe(0);
    await expectProof(game.of);
  });
});
