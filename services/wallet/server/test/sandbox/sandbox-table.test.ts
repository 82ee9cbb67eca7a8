// Compares every row of the tables about the wallet in docs/guide/sandbox.md with the running service.
import { join } from 'node:path';
import { readDocumentedCalls } from '@counterfoil/kit/testing/openapi/documented-calls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { testGames, testPlayers } from '../../src/sandbox/test-ids.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember } from '../environment/people.ts';

const calls = await readDocumentedCalls(
  join(import.meta.dirname, '../../../../../docs/guide/sandbox.md'),
  'Wallet',
);

let given: Given;
let real: GivenPackage;
let address: string;
let sandboxId: number;
let sandboxHeaders: Record<string, string>;

/**
 * The requested delay and the start time of each slow answer. In this test, a slow answer does not wait for
 * the delay. It waits until a gate opens.
 */
const delayed: { ms: number; at: number }[] = [];
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  const delaySlowAnswer = (ms: number) => {
    delayed.push({ ms, at: performance.now() });
    return gate;
  };
  const deps = (defaults: WalletDeps) => ({ ...defaults, delaySlowAnswer });
  given = await givenWallet({}, {}, undefined, { deps });
  real = await given.package();
  ({ id: sandboxId, headers: sandboxHeaders } = await openSandbox(real));
  address = await given.app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => given.close());

async function openSandbox(of: GivenPackage): Promise<{ id: number; headers: typeof sandboxHeaders }> {
  const owner = await giveMember(given, of, 'owner');
  const made = await owner.send('POST', `/panel/packages/${of.id}/sandbox`);
  const { package: sandbox, credentials } = made.body.data;
  const headers = {
    'x-uid': credentials.uid,
    'x-api-key': credentials.caller.api_key,
    'x-api-secret': credentials.caller.api_secret,
  };
  return { id: sandbox.id, headers };
}

async function send(
  headers: Record<string, string>,
  call: { method: string; path: string; body?: string | undefined },
) {
  const { body } = call;
  const answer = await fetch(`${address}${call.path}`, {
    method: call.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}

it.each(calls)('the documented call ($title) gets $status $code', async (call) => {
  delayed.length = 0;
  const startedAt = performance.now();
  const answer = await send(sandboxHeaders, call);
  expect([answer.status, answer.body.code]).toEqual([call.status, call.code]);
  const [slow] = delayed;
  expect(slow ? slow.at - startedAt + slow.ms : 0).toBeGreaterThanOrEqual(call.leastMs);
  if (call.retryAfter) expect(answer.headers.get('retry-after')).toBe(call.retryAfter);
  for (const fact of call.holds) expect(answer.text).toContain(fact);
  for (const fact of call.lacks) expect(answer.text).not.toContain(fact);
});

it('the documented table contains every test player and every test game', () => {
  const shown = calls.map(({ path, body = '' }) => path + body).join(' ');
  const ids = [...Object.values(testPlayers), ...Object.values(testGames)];
  expect(ids.filter((id) => !shown.includes(id))).toEqual([]);
});

it('the ledger of the sandbox has no flaw after all documented calls, and its credit is exact', async () => {
  const { flaws, movements } = await verifyLedger(given.db, sandboxId);
  expect(flaws).toEqual([]);
  expect(movements).toBeGreaterThan(10n);
  const { body } = await send(sandboxHeaders, { method: 'GET', path: '/api/v1/package' });
  // Three test players still have 60 of the play money: test_blocked has 5, test_slow 5 and test_unknown 50.
  expect(body.data.balance).toBe(1_000_000_000 - 60);
});

it('in a real package, neither fast path nor router treats the id of a test player specially', async () => {
  const ids = Object.values(testPlayers);
  for (const playerId of ids) await given.player(real, { playerId, balance: '10.00' });
  const update = (playerId: string, type: 'credit' | 'debit', extra: object) =>
    send(real.headers, {
      method: 'POST',
      path: '/api/v1/user/update_balance',
      body: JSON.stringify({
        player_id: playerId,
        type,
        amount: 4,
        transaction_id: `${type}-${playerId}-${JSON.stringify(extra).length}`,
        ...extra,
      }),
    });
  for (const playerId of ids) {
    // The router answers the order whose note is not ASCII; the fast path answers the order without a note.
    for (const extra of [{}, { note: 'für später' }]) {
      const answers = [await update(playerId, 'credit', extra), await update(playerId, 'debit', extra)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  }
  const launch = await send(real.headers, {
    method: 'POST',
    path: '/api/v1/game/launch',
    body: JSON.stringify({ player_id: testPlayers.blocked, game_id: testGames.unavailable }),
  });
  // This test has no provider, so the launch of the real package fails.
  expect(launch.body.code).toBe('upstream_unavailable');
  expect((await verifyLedger(given.db, real.id)).flaws).toEqual([]);
});

it('no combination of live and test credentials is accepted', async () => {
  const balance = { method: 'GET', path: '/api/v1/user/balance?player_id=test_unknown' };
  const mixed = [
    { ...sandboxHeaders, 'x-uid': real.uid },
    { ...real.headers, 'x-uid': sandboxHeaders['x-uid'] ?? '' },
    { ...real.headers, 'x-api-key': sandboxHeaders['x-api-key'] ?? '' },
  ];
  for (const headers of mixed) expect((await send(headers, balance)).body.code).toBe('auth_invalid');
});

it('a sandbox gets at most 20 slow answers at a time; other sandboxes are not affected', async () => {
  const [greedy, modest] = [await given.package(), await given.package()];
  const [many, few] = [await openSandbox(greedy), await openSandbox(modest)];
  const slow = { method: 'GET', path: '/api/v1/user/balance?player_id=test_slow' };
  let letGo = () => {};
  gate = new Promise((resolve) => {
    letGo = resolve;
  });
  delayed.length = 0;
  const statuses: number[] = [];
  const ask = async ({ headers }: typeof many) => {
    const { status } = await send(headers, slow);
    statuses.push(status);
  };
  const greedily = Array.from({ length: 110 }, () => ask(many));
  await expect.poll(() => [delayed.length, statuses.length]).toEqual([20, 90]);
  expect(new Set(statuses)).toEqual(new Set([429]));
  const modestly = Array.from({ length: 5 }, () => ask(few));
  await expect.poll(() => delayed.length).toBe(25);
  expect(statuses).toHaveLength(90);
  letGo();
  await Promise.all([...greedily, ...modestly]);
  expect(statuses.slice(90)).toEqual(Array(25).fill(200));
});
