// Rotation and revocation under load, with two processes' worth of service on one database.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrations } from '@counterfoil/kit/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { runningBeside } from '@counterfoil/kit/testing/running-beside';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildLicensingApp, migrationFolders } from '../src/app.ts';
import { type Given, givenLicensing } from './given.ts';
import { givenSignedIn } from './panel-browser.ts';

let given: Given;
let second: Given['app'];
let addresses: string[];

beforeAll(async () => {
  given = await givenLicensing({ AUTH_FAILURES_PER_MINUTE: '0' });
  second = await buildLicensingApp({
    config: given.config,
    db: given.db,
    logger: captureLog().logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => given.clock.now,
  });
  addresses = [];
  for (const app of [given.app, second]) {
    await app.listen({ host: '127.0.0.1', port: 0 });
    addresses.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  }
});

afterAll(async () => {
  await second.close();
  await given.close();
});

interface Call {
  readonly key: string;
  readonly startedAt: number;
  readonly outcome: string;
}

/** Calls both services with whatever keys `wanted` names at the moment, until told to stop. */
function startLoad(wanted: () => readonly string[]) {
  const calls: Call[] = [];
  let stopped = false;
  const loop = async (address: string) => {
    while (!stopped) {
      for (const key of wanted()) {
        const startedAt = Date.now();
        const answer = await fetch(`${address}/api/account/details`, {
          headers: { 'x-api-key': key },
        });
        const body = (await answer.json()) as { code?: string };
        calls.push({ key, startedAt, outcome: answer.ok ? 'ok' : (body.code ?? '') });
      }
      await sleep(1);
    }
  };
  const loops = runningBeside(
    addresses.flatMap((address) => [1, 2, 3, 4].map(() => loop(address))),
  );
  return {
    calls,
    stop: async () => {
      stopped = true;
      await loops;
    },
  };
}

it('no call fails in the overlap, and none is accepted from 5 s after the revocation', async () => {
  const owner = await givenSignedIn(given, await given.workspace());
  const keys = `${owner.base}/api-keys`;
  const old = (await owner.post(keys, { name: 'Site' })).body.data;
  const live = [old.secret];
  const load = startLoad(() => live);
  await sleep(500);
  const fresh = (await owner.post(`${keys}/${old.api_key.id}/rotate`, { overlap: '24h' })).body
    .data;
  live.push(fresh.secret);
  await sleep(1000);
  const before = load.calls.length;
  expect(load.calls.filter((call) => call.outcome !== 'ok')).toEqual([]);
  expect(new Set(load.calls.map((call) => call.key)).size).toBe(2);

  await owner.post(`${keys}/${old.api_key.id}/revoke`);
  const revokedAt = Date.now();
  await sleep(6000);
  await load.stop();
  const after = load.calls.slice(before);
  expect(after.filter((call) => call.key === fresh.secret && call.outcome !== 'ok')).toEqual([]);
  const oldCalls = after.filter((call) => call.key === old.secret);
  const late = oldCalls.filter((call) => call.startedAt > revokedAt + 5000);
  expect(late.length).toBeGreaterThan(10);
  expect(new Set(late.map((call) => call.outcome))).toEqual(new Set(['api_key_revoked']));
  // By the word that is sent along it is far sooner; 5 s is for when that word is lost.
  const accepted = oldCalls.filter((call) => call.outcome === 'ok').map((call) => call.startedAt);
  expect(Math.max(0, ...accepted)).toBeLessThan(revokedAt + 1000);
}, 30_000);

it('without an overlap the old key is dead on both at once, and the new one lives', async () => {
  const owner = await givenSignedIn(given, await given.workspace());
  const keys = `${owner.base}/api-keys`;
  const old = (await owner.post(keys, { name: 'Leaked' })).body.data;
  const load = startLoad(() => [old.secret]);
  await sleep(300);
  const fresh = (await owner.post(`${keys}/${old.api_key.id}/rotate`, { overlap: '0' })).body.data;
  const rotatedAt = Date.now();
  await sleep(1500);
  await load.stop();
  const late = load.calls.filter((call) => call.startedAt > rotatedAt + 1000);
  expect(new Set(late.map((call) => call.outcome))).toEqual(new Set(['api_key_revoked']));
  for (const address of addresses) {
    const answer = await fetch(`${address}/api/account/details`, {
      headers: { 'x-api-key': fresh.secret },
    });
    expect(answer.status).toBe(200);
  }
}, 30_000);
