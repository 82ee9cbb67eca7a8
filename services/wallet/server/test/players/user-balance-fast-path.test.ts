// The fast path and the router give the same answers to user/balance. Concurrent reads share a query.
import { request } from 'node:http';
import type { App } from '@counterfoil/kit/http/app';
import { runningBeside } from '@counterfoil/kit/testing/eventually';
import { recordSent } from '@counterfoil/kit/testing/intercept';
import { transfer } from '@counterfoil/wallet-server/ledger/transfer';
import { createBalanceReader } from '@counterfoil/wallet-server/players/balance';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { presentAnswer } from '../environment/answers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

const path = '/api/v1/user/balance';
let given: Given;
let owner: GivenPackage;
let low: GivenPackage;
let base: string;
let routed = 0;

beforeAll(async () => {
  const countRouted = (app: App) =>
    app.addHook('onRequest', async () => {
      routed++;
    });
  // On a busy disk, a commit may take longer than a balance read waits by default.
  const ledger = { maxBalanceWaitMs: 20_000 };
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' }, {}, countRouted, { ledger });
  owner = await given.package({ credit: '1000.00' });
  low = await given.package({ credit: '40.00', alertThreshold: 10_000n });
  for (const of of [owner, low]) {
    await given.player(of, { playerId: 'p-1', balance: '19.99' });
    await given.player(of, { playerId: 'Zoë 1', balance: '1.00' });
    await given.player(of, { playerId: 'blocked', status: 'blocked' });
  }
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(given.app.server.address() as { port: number }).port}`;
  // Calls the router first, which caches the packages for the fast path.
  for (const of of [owner, low]) await overRouter('?player_id=p-1', of.headers);
});

afterAll(() => given.close());

async function overRouter(query: string, headers: Record<string, string>): Promise<string> {
  const answer = await given.app.inject({ url: path + query, headers });
  return presentAnswer(answer.statusCode, Object.entries(answer.headers), answer.body);
}

async function overSocket(query: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(base + path + query, { headers });
  return presentAnswer(answer.status, [...answer.headers], await answer.text());
}

async function compare(query: string, headers: Record<string, string>) {
  const before = routed;
  const short = await overSocket(query, headers);
  const byRouter = routed - before;
  expect(short).toBe(await overRouter(query, headers));
  return { short, byRouter };
}

it.each<[string, string, () => Record<string, string>, number]>([
  ['a player', '?player_id=p-1', () => owner.headers, 200],
  ['a blocked player', '?player_id=blocked', () => owner.headers, 200],
  ['a credit below the alert threshold', '?player_id=p-1', () => low.headers, 200],
  ['an unknown player', '?player_id=nobody', () => owner.headers, 404],
  [
    'a whitelisted Origin',
    '?player_id=p-1',
    () => ({ ...owner.headers, origin: 'https://test.example' }),
    200,
  ],
])('the fast path answers like the router: %s', async (_name, query, headers, status) => {
  const { short, byRouter } = await compare(query, headers());
  expect([short.slice(0, 3), byRouter]).toEqual([String(status), 0]);
});

it.each<[string, string, () => Record<string, string>, number]>([
  ['an escaped id', `?player_id=${encodeURIComponent('Zoë 1')}`, () => owner.headers, 200],
  ['an escaped plain id', '?player_id=p%2D1', () => owner.headers, 200],
  ['an additional parameter', '?player_id=p-1&x=1', () => owner.headers, 200],
  ['the parameter twice', '?player_id=p-1&player_id=p-1', () => owner.headers, 400],
  ['no parameter', '', () => owner.headers, 400],
  ['an empty id', '?player_id=', () => owner.headers, 400],
  ['an id of 65 characters', `?player_id=${'x'.repeat(65)}`, () => owner.headers, 400],
  ['a NUL', '?player_id=%00', () => owner.headers, 400],
  ['a wrong secret', '?player_id=p-1', () => ({ ...owner.headers, 'x-api-secret': 'gps_x' }), 401],
  [
    "another package's secret",
    '?player_id=p-1',
    () => ({ ...owner.headers, 'x-api-secret': low.headers['x-api-secret'] ?? '' }),
    401,
  ],
  [
    'a foreign Origin',
    '?player_id=p-1',
    () => ({ ...owner.headers, origin: 'https://elsewhere.example' }),
    403,
  ],
  [
    'a callback pair',
    '?player_id=p-1',
    () => ({
      'x-uid': owner.uid,
      'x-api-key': owner.callback.apiKey,
      'x-api-secret': owner.callback.apiSecret,
    }),
    403,
  ],
])('the router answers instead of the fast path: %s', async (_name, query, headers, status) => {
  const { short, byRouter } = await compare(query, headers());
  expect([short.slice(0, 3), byRouter]).toEqual([String(status), 1]);
});

it('the router answers a GET request that has a body', async () => {
  const before = routed;
  const status = await new Promise((resolve, reject) => {
    const headers = { ...owner.headers, 'content-length': 2 };
    const sent = request(`${base}${path}?player_id=p-1`, { method: 'GET', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject).end('{}');
  });
  expect([status, routed - before]).toEqual([200, 1]);
});

it('concurrent balance reads share one statement, and each gets the balance of its player', async () => {
  const players = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await given.player(owner, { playerId: `shared-${i}`, balance: `${i}.25` });
      return `shared-${i}`;
    }),
  );
  const getBalance = createBalanceReader(given.db);
  const wanted = [...players, ...players, 'nobody'];
  const found: (bigint | string)[] = [];
  const statements = await recordSent(async () => {
    const asked = wanted.map((playerId) =>
      getBalance(owner.id, playerId).then(
        ({ player }) => player.balance,
        (error: { code: string }) => error.code,
      ),
    );
    found.push(...(await Promise.all(asked)));
  });
  // The service may write its logs at the same time, so only statements about players count.
  const aboutPlayers = statements.filter(({ text }) => /\bplayers\b/.test(text));
  expect(aboutPlayers.map(({ name }) => name)).toEqual(['select_player_balances']);
  const balances = players.map((_, i) => BigInt(i * 100 + 25));
  expect(found).toEqual([...balances, ...balances, 'player_not_found']);
});

const post = async (verb: string, body: object) => {
  const answer = await fetch(`${base}/api/v1/user/${verb}`, {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'success' }]);
};

let writes = 0;
const write = (playerId: string) =>
  post('update_balance', {
    player_id: playerId,
    type: 'credit',
    amount: 0.01,
    transaction_id: `write-${++writes}`,
  });

async function readData(playerId: string): Promise<Record<string, unknown>> {
  const read = await fetch(`${base}${path}?player_id=${playerId}`, { headers: owner.headers });
  return ((await read.json()) as { data: Record<string, unknown> }).data;
}

/**
 * With 40 writers, a batch contains at most half of their orders. So an order always waits for the next
 * batch, which can serve balance reads.
 */
const writersAtOnce = 40;

/** Calls `run` while other players of the package are credited without a pause. */
async function duringWrites(run: () => Promise<void>): Promise<void> {
  let isOver = false;
  const shared = { packageId: owner.id, overdraftLimit: 0n, type: 'credit', amount: 1n } as const;
  const writing = async (_: unknown, i: number) => {
    const busy = { packageId: owner.id, playerId: `busy-${i}` };
    const { accountId: account } = (await createPlayer(given.db, busy, given.clock.now)).player;
    while (!isOver) {
      const transactionId = `beside-${++writes}`;
      const done = await transfer(given.ledger, { ...shared, account, transactionId, note: '' });
      expect(done?.outcome.kind).toBe('stored');
    }
  };
  const writers = runningBeside(Array.from({ length: writersAtOnce }, writing));
  await run().finally(() => {
    isOver = true;
  });
  await writers;
}

it('a balance read contains every write that was answered before the read was sent', async () => {
  await given.player(owner, { playerId: 'mine', balance: '0.00' });
  await duringWrites(async () => {
    for (let i = 1; i <= 20; i++) {
      await write('mine');
      expect(await readData('mine')).toMatchObject({ balance: i / 100 });
    }
  });
});

/** Counts the balance reads that the ledger served with a batch. */
function countBatchedReads(): () => number {
  let count = 0;
  const { readBalance } = given.ledger;
  const spy = vi.spyOn(given.ledger, 'readBalance').mockImplementation((packageId, account) => {
    const asked = readBalance(packageId, account);
    void asked?.then((found) => {
      if (found) count++;
    });
    return asked;
  });
  onTestFinished(() => spy.mockRestore());
  return () => count;
}

it('an answer from a batch equals one from the database, and shows a blocked player at once', async () => {
  await given.player(owner, { playerId: 'quiet', balance: '7.50' });
  // This write caches the account in the ledger.
  await write('quiet');
  const alone = await readData('quiet');
  expect(alone).toMatchObject({ balance: 7.51, status: 'active' });
  const isAsked = ({ name }: { name?: string }) => name === 'select_player_balances';
  const batchedReads = countBatchedReads();
  await duringWrites(async () => {
    let reads = 0;
    const statements = await recordSent(async () => {
      // Batches serve balance reads only if no player has changed for 200 ms, so the first reads may query
      // the database.
      while (batchedReads() < 50 && reads < 20_000) {
        expect(await readData('quiet')).toEqual(alone);
        reads++;
      }
    });
    expect(batchedReads()).toBe(50);
    expect(statements.filter(isAsked)).toHaveLength(reads - 50);
    for (let i = 0; i < 10; i++) {
      const status = i % 2 === 0 ? 'blocked' : 'active';
      await post('status', { player_id: 'quiet', status });
      for (let j = 0; j < 5; j++) expect(await readData('quiet')).toEqual({ ...alone, status });
    }
  });
});
