// Rotation and revocation under load, with two services on one database.
import type { AddressInfo } from 'node:net';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildLicensingApp, migrationFolders } from '../../src/app.ts';
import { type Given, setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing({ AUTH_FAILURES_PER_MINUTE: '0' });
let second: Given['app'];
let addresses: string[];

beforeAll(async () => {
  // The clock of the caches is stopped, so only a notification can invalidate a key. The tests in
  // key-changes.test.ts cover lost notifications.
  given.memoryClock.ms = 0;
  second = await buildLicensingApp({
    config: given.config,
    db: given.db,
    logger: captureLog().logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => given.clock.now,
    monotonicMs: () => 0,
  });
  addresses = [];
  for (const app of [given.app, second]) {
    await app.listen({ host: '127.0.0.1', port: 0 });
    addresses.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  }
});

afterAll(() => second.close());

interface Call {
  readonly address: string;
  readonly key: string;
  /**
   * The starts and ends of all calls share one sequence of numbers. `began` and `ended` are the numbers of
   * this call.
   */
  readonly began: number;
  readonly ended: number;
  readonly outcome: string;
}

/** Calls both services until `stop` is called. Each call uses a key that `wanted` returns at that time. */
function startLoad(wanted: () => readonly string[]) {
  const calls: Call[] = [];
  let moment = 0;
  let stopped = false;
  const loop = async (address: string) => {
    while (!stopped) {
      for (const key of wanted()) {
        const began = moment++;
        const answer = await fetch(`${address}/api/account/details`, {
          headers: { 'x-api-key': key },
        });
        const body = (await answer.json()) as { code?: string };
        const outcome = answer.ok ? 'ok' : (body.code ?? '');
        calls.push({ address, key, began, ended: moment++, outcome });
      }
    }
  };
  const loops = runningBeside(addresses.flatMap((address) => [1, 2, 3, 4].map(() => loop(address))));
  return {
    calls,
    /** Resolves when each service has answered at least `times` calls with this key and this outcome. */
    until: (key: string, outcome: string, times = 20) =>
      eventually(() => {
        for (const address of addresses) {
          const own = calls.filter((call) => call.address === address && call.key === key);
          const such = own.filter((call) => call.outcome === outcome);
          expect(such.length).toBeGreaterThanOrEqual(times);
        }
      }),
    stop: async () => {
      stopped = true;
      await loops;
    },
  };
}

/** Expects that a service that has refused the key once refuses all later calls with the key. */
function expectFinal(calls: readonly Call[], key: string): void {
  for (const address of addresses) {
    const own = calls.filter((call) => call.address === address && call.key === key);
    const refusals = own.filter((call) => call.outcome !== 'ok');
    expect(new Set(refusals.map((call) => call.outcome))).toEqual(new Set(['api_key_revoked']));
    const first = Math.min(...refusals.map((call) => call.ended));
    expect(own.filter((call) => call.began > first && call.outcome === 'ok')).toEqual([]);
  }
}

it('no call fails during the overlap, and a service never accepts a key that it has refused', async () => {
  const owner = await givenSignedIn(given, await given.workspace());
  const keys = `${owner.base}/api-keys`;
  const old = (await owner.post(keys, { name: 'Site' })).body.data;
  const live = [old.secret];
  const load = startLoad(() => live);
  await load.until(old.secret, 'ok');
  const fresh = (await owner.post(`${keys}/${old.api_key.id}/rotate`, { overlap: '24h' })).body.data;
  live.push(fresh.secret);
  await load.until(fresh.secret, 'ok');
  expect(load.calls.filter((call) => call.outcome !== 'ok')).toEqual([]);
  expect(new Set(load.calls.map((call) => call.key)).size).toBe(2);

  await owner.post(`${keys}/${old.api_key.id}/revoke`);
  await load.until(old.secret, 'api_key_revoked');
  await load.stop();
  expect(load.calls.filter((call) => call.key === fresh.secret && call.outcome !== 'ok')).toEqual([]);
  expectFinal(load.calls, old.secret);
});

it('without an overlap, both processes refuse the old key and accept the new key', async () => {
  const owner = await givenSignedIn(given, await given.workspace());
  const keys = `${owner.base}/api-keys`;
  const old = (await owner.post(keys, { name: 'Leaked' })).body.data;
  const load = startLoad(() => [old.secret]);
  await load.until(old.secret, 'ok');
  const fresh = (await owner.post(`${keys}/${old.api_key.id}/rotate`, { overlap: '0' })).body.data;
  await load.until(old.secret, 'api_key_revoked');
  await load.stop();
  expectFinal(load.calls, old.secret);
  for (const address of addresses) {
    const answer = await fetch(`${address}/api/account/details`, {
      headers: { 'x-api-key': fresh.secret },
    });
    expect(answer.status).toBe(200);
  }
});
