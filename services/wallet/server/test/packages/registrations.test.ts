// Every package and every change of a package is registered with the provider, even if the provider was
// unavailable.
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { registerPackages, startRegistrar } from '../../src/packages/registration/registrar.ts';
import { claimMs, requestAllRegistrations } from '../../src/packages/registration-store.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram, type Send } from '../environment/people.ts';
import { givenProvider, type Provider } from '../environment/provider.ts';

let provider: Provider;
let given: Given;
let send: Send;

beforeAll(async () => {
  provider = await givenProvider();
  const breaker = { failures: 1000, restMs: 60_000 };
  given = await givenWallet(provider.env, { breaker });
  ({ send } = await giveProgram(given));
});
beforeEach(async () => {
  provider.faults = {};
  await round();
  provider.drainCalls();
});
afterAll(async () => {
  await given.close();
  await provider.close();
});

const callbackUrl = 'https://wallet.example/api/v1/game/callback';
const { logger } = captureLog('wallet');
const deps = () => ({
  db: given.db,
  upstream: given.upstream,
  masterKey: given.config.masterKey,
  callbackUrl,
  logger,
  now: () => given.clock.now,
});
const round = () => registerPackages(deps());
const pass = (seconds: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + seconds * 1000);
};
/**
 * Runs the registration once, and returns the calls that the provider has received since they were last read.
 */
const receive = async () => {
  await round();
  return provider.calls.splice(0);
};
const change = (owner: GivenPackage, rest: string, body: object = {}) =>
  send('POST', `/admin/v1/packages/${owner.id}/${rest}`, body);
const stateOf = async (owner: GivenPackage) =>
  (await send('GET', `/admin/v1/packages/${owner.id}/registration`)).body.data.registration;

it('an approved package is registered once, with its callback pair and its callback URL', async () => {
  const owner = await given.package({ state: 'pending' });
  expect(await receive()).toEqual([]);
  expect(await stateOf(owner)).toMatchObject({ pending: false, registered_at: null });
  await change(owner, 'approve');
  expect(await stateOf(owner)).toMatchObject({ pending: true });
  const calls = await receive();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    path: `/private/v1/packages/${owner.uid}`,
    authorization: 'Bearer provider-token-of-tests',
  });
  expect(calls[0]?.body).toEqual({
    callback_url: callbackUrl,
    key: owner.callback.apiKey,
    secret: owner.callback.apiSecret,
    security: 'headers',
    aes_key: null,
    currency: 'EUR',
    active: true,
  });
  expect(await receive()).toEqual([]);
  expect(await stateOf(owner)).toEqual({
    pending: false,
    registered_at: given.clock.now.toISOString(),
    attempts: 0,
    next_try_at: null,
    last_error: null,
    callback_url: `${given.config.publicUrl}/api/v1/game/callback`,
  });
});

it('the suspension and the resumption of a package are registered', async () => {
  const owner = await given.package();
  await change(owner, 'suspend');
  expect((await receive()).map(({ body }) => body.active)).toEqual([false]);
  await change(owner, 'resume');
  expect((await receive()).map(({ body }) => body.active)).toEqual([true]);
});

it('a rotation of the callback pair registers the new pair', async () => {
  const owner = await given.package();
  const rotated = await change(owner, 'key-pairs/rotate', { purpose: 'callback' });
  const { pair } = rotated.body.data;
  const [call] = await receive();
  expect([call?.body.key, call?.body.secret]).toEqual([pair.api_key, pair.api_secret]);
});

it('the AES key is registered after a change of callback security and after a key rotation', async () => {
  const owner = await given.package();
  await send('PATCH', `/admin/v1/packages/${owner.id}`, { callback_security: 'signed' });
  expect((await receive())[0]?.body).toMatchObject({ security: 'signed', aes_key: owner.aesKey });
  const rotated = await change(owner, 'aes-key/rotate');
  expect((await receive())[0]?.body.aes_key).toBe(rotated.body.data.aes_key);
});

it('several changes in a row are registered with one call that has the newest state', async () => {
  const owner = await given.package();
  await change(owner, 'suspend');
  await change(owner, 'resume');
  await change(owner, 'suspend');
  expect((await receive()).map(({ body }) => body.active)).toEqual([false]);
});

it('at the start of a process, all packages except pending packages are registered', async () => {
  const pending = await given.package({ state: 'pending' });
  const owner = await given.package();
  await requestAllRegistrations(given.db, given.clock.now);
  const uids = (await receive()).map(({ path }) => path.split('/').at(-1));
  expect(uids).toContain(owner.uid);
  expect(uids).not.toContain(pending.uid);
});

it('a registration is retried at increasing intervals while the provider is unavailable', async () => {
  const owner = await given.package();
  provider.faults = { packages: 'failing' };
  await change(owner, 'suspend');
  expect(await receive()).toHaveLength(1);
  expect(await stateOf(owner)).toMatchObject({
    pending: true,
    attempts: 1,
    last_error: 'wrong_status',
    next_try_at: new Date(given.clock.now.getTime() + 1000).toISOString(),
  });
  expect(await receive()).toHaveLength(0);
  pass(1);
  expect(await receive()).toHaveLength(1);
  pass(1);
  expect(await receive()).toHaveLength(0);
  const health = await send('GET', '/admin/v1/upstream');
  expect(health.body.data.registrations_pending).toBe(1);
  provider.faults = {};
  pass(1);
  expect(await receive()).toHaveLength(1);
  expect(await stateOf(owner)).toMatchObject({ pending: false, attempts: 0, last_error: null });
});

it('a change of a package during its registration is registered afterwards', async () => {
  const owner = await given.package();
  await change(owner, 'suspend');
  const release = provider.block();
  const first = round();
  await expect.poll(() => provider.calls.length).toBe(1);
  await change(owner, 'resume');
  // Another process must wait. Otherwise the older state from the first process could arrive after the newer
  // state.
  await round();
  expect(provider.calls).toHaveLength(1);
  release();
  await first;
  expect(await stateOf(owner)).toMatchObject({ pending: true });
  const calls = await receive();
  expect(calls.map(({ body }) => body.active)).toEqual([false, true]);
});

it('after many failed registrations, a new change waits only until the last claim expires', async () => {
  const owner = await given.package();
  provider.faults = { packages: 'failing' };
  await change(owner, 'suspend');
  for (let i = 0; i < 12; i++) {
    await round();
    pass(300);
  }
  await round();
  await change(owner, 'resume');
  provider.faults = {};
  provider.drainCalls();
  pass(claimMs / 1000 + 1);
  expect((await receive()).map(({ body }) => body.active)).toEqual([true]);
});

it('another process registers a package if the first process died during the registration', async () => {
  const owner = await given.package();
  await change(owner, 'suspend');
  await given.db.query(
    `update upstream_registrations set next_try_at = next_try_at + interval '30 seconds'
     where package_id = $1`,
    [owner.id],
  );
  expect(await receive()).toHaveLength(0);
  pass(claimMs / 1000);
  expect(await receive()).toHaveLength(1);
});

it('concurrent runs of the registration register each package once', async () => {
  const owner = await given.package();
  await change(owner, 'suspend');
  await Promise.all([round(), round(), round()]);
  expect(provider.drainCalls()).toEqual(['packages']);
});

it('a package without a valid callback pair is not registered, and last_error states why', async () => {
  const owner = await given.package();
  const pairs = await send('GET', `/admin/v1/packages/${owner.id}/key-pairs`);
  const { id } = pairs.body.data.key_pairs.find((pair: { purpose: string }) => pair.purpose === 'callback');
  await change(owner, `key-pairs/${id}/revoke`);
  expect(await receive()).toEqual([]);
  expect(await stateOf(owner)).toMatchObject({ last_error: 'no_live_callback_pair' });
});

it('a process registers packages in the background, from its start until it stops', async () => {
  const owner = await given.package();
  const registrar = await startRegistrar({ ...deps(), pauseMs: 20 });
  const isRegistered = () => expect.poll(async () => (await stateOf(owner)).pending).toBe(false);
  await isRegistered();
  await change(owner, 'suspend');
  await isRegistered();
  await registrar.stop();
  const heard = provider.calls.filter(({ path }) => path.endsWith(owner.uid));
  expect(heard.map(({ body }) => body.active)).toEqual([true, false]);
});
