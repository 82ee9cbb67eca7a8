// The provider repeats a callback with the same body until its outcome is final, also after a restart.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  control,
  drawing,
  givenPlayer,
  holdTimeouts,
  makeFolder,
  onRed,
  openPlayer,
  register,
  settled,
  startProvider,
  startWallet,
  uid,
  until,
} from './given.ts';
import type { Behaviour, TestWallet } from './test-wallet.ts';

const givenWinner = (options = {}) => givenPlayer({ ...drawing(3), ...options });

const idsOf = (wallet: TestWallet, action: string) =>
  new Set(wallet.received.filter(({ body }) => body.action === action).map(({ raw }) => raw));

describe('a callback without a usable answer is repeated with the same body', () => {
  it.each<[string, Behaviour]>([
    ['a connection that breaks', 'lost'],
    ['an answer that is lost', 'late'],
    ['a 500', 500],
    ['a 503', 503],
    ['a 429', 429],
    ['a redirect', 302],
    ['an HTML page of a proxy', 'html'],
  ])('a callback is repeated after %s', async (_title, behaviour) => {
    const { wallet, player } = await givenWinner();
    wallet.behaviours = [behaviour, behaviour, 'answer'];
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'win']);
    expect(idsOf(wallet, 'bet').size).toBe(1);
    expect(wallet.balance).toBe(101);
  });

  it('a callback is repeated after a time-out', async () => {
    const endTimeout = holdTimeouts();
    const { wallet, player } = await givenWinner();
    wallet.behaviours = ['hang', 'hang', 'answer'];
    const spin = player.spin(onRed);
    for (const attempts of [1, 2]) {
      await until(() => wallet.received.length === attempts);
      endTimeout();
    }
    expect((await spin).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'win']);
    expect(idsOf(wallet, 'bet').size).toBe(1);
    expect(wallet.balance).toBe(101);
  });
});

describe('a bet', () => {
  it('a bet without an answer pays no win; the rollback is repeated until it is confirmed', async () => {
    const { wallet, player, provider } = await givenWinner();
    // The wallet applies the bet, but the answers to all four attempts are lost. The first attempt of the
    // rollback gets a 500. The wallet applies the second attempt, but the answer is lost.
    wallet.behaviours = ['late', 'late', 'late', 'late', 500, 'late', 'answer'];
    expect((await player.spin(onRed)).status).toBe(503);
    await settled(provider);
    const rollbacks = wallet.received.filter(({ body }) => body.action === 'rollback');
    expect(rollbacks.length).toBe(3);
    expect(idsOf(wallet, 'rollback').size).toBe(1);
    expect(rollbacks[0]?.body).toEqual({
      action: 'rollback',
      player_id: 'p-1',
      transaction_id: expect.any(String),
      reference_transaction_id: wallet.received[0]?.body.transaction_id,
      round_id: wallet.received[0]?.body.round_id,
      // No callback of the round follows the rollback, so the rollback must close the round in the wallet.
      round_finished: true,
    });
    expect(wallet.actions()).not.toContain('win');
    expect(wallet.balance).toBe(100);
  });

  it('a bet that is refused after an attempt without an answer is rolled back', async () => {
    const { wallet, player, provider } = await givenWinner();
    wallet.behaviours = ['late', 403, 'answer'];
    expect((await player.spin(onRed)).status).toBe(403);
    await settled(provider);
    expect(wallet.actions()).toEqual(['bet', 'bet', 'rollback']);
    expect(wallet.balance).toBe(100);
  });

  it('a bet that is refused at its first attempt is not rolled back', async () => {
    const { wallet, player, provider } = await givenWinner();
    wallet.behaviours = [403];
    expect((await player.spin(onRed)).body).toMatchObject({ code: 'play_refused' });
    await settled(provider);
    expect(wallet.actions()).toEqual(['bet']);
  });
});

describe('a win', () => {
  it('a win without an answer is delivered later; until then the player sees “not settled”', async () => {
    const { wallet, player, provider } = await givenWinner();
    wallet.behaviours = ['answer', 500, 500, 500, 500, 'lost', 'answer'];
    expect((await player.spin(onRed)).body).toMatchObject({
      win_minor: 200,
      settled: false,
      balance: null,
    });
    await settled(provider);
    expect(wallet.balance).toBe(101);
    expect(idsOf(wallet, 'win').size).toBe(1);
  });

  it('a win is sent again and delivered after an answer that refused the credentials', async () => {
    const { wallet, player, provider } = await givenWinner();
    wallet.behaviours = ['answer', 401, 401, 401, 'answer'];
    expect((await player.spin(onRed)).body).toMatchObject({ settled: false });
    await settled(provider);
    expect(wallet.balance).toBe(101);
  });
});

it('a win that the wallet refuses with 409 is not repeated, and the player gets an error', async () => {
  const { wallet, player, provider } = await givenWinner();
  wallet.behaviours = ['answer', 409];
  const { status, body } = await player.spin(onRed);
  expect([status, body]).toMatchObject([409, { code: 'settlement_refused' }]);
  await settled(provider);
  expect(wallet.actions()).toEqual(['bet', 'win']);
});

it('while 1,000 deliveries wait, new bets are refused, because the outbox is full', async () => {
  const dataDir = await makeFolder();
  const win = {
    action: 'win',
    player_id: 'p-1',
    transaction_id: 'w',
    reference_transaction_id: 'b',
  };
  const waiting = Array.from({ length: 1000 }, (_, i) => [
    `${i}`,
    { id: `${i}`, uid: 'UID_gone', body: { ...win, transaction_id: `w${i}` }, attempts: 0 },
  ]);
  await writeFile(join(dataDir, 'outbox.json'), JSON.stringify(Object.fromEntries(waiting)));
  const { wallet, player, provider } = await givenWinner({
    dataDir,
    firstBackgroundWaitMs: 60_000,
  });
  expect([(await player.spin(onRed)).body, wallet.received]).toMatchObject([{ code: 'overloaded' }, []]);
  const { body } = await control(provider, 'deliveries');
  expect((body as { pending: unknown[] }).pending).toHaveLength(1000);
});

describe('a restart of the provider', () => {
  it('after a restart, the provider delivers a win that the wallet had answered with 500', async () => {
    const { wallet, player, provider } = await givenWinner({ firstBackgroundWaitMs: 60_000 });
    wallet.behaviours = ['answer', 500];
    expect((await player.spin(onRed)).body).toMatchObject({ settled: false });
    await provider.app.close();
    wallet.behaviours = ['answer'];
    await settled(await startProvider({ dataDir: provider.dataDir }));
    expect(wallet.balance).toBe(101);
  });

  it('after a restart, the provider rolls back a bet whose outcome it did not store', async () => {
    const { wallet, provider } = await givenWinner();
    const bet = {
      action: 'bet',
      player_id: 'p-1',
      transaction_id: 'bet-x',
      round_id: 'round-x',
      amount: 1,
    };
    await provider.app.close();
    const left = { x: { id: 'x', uid, body: bet, attempts: 0 } };
    await writeFile(join(provider.dataDir, 'outbox.json'), JSON.stringify(left));
    await settled(await startProvider({ dataDir: provider.dataDir }));
    expect(wallet.received.at(-1)?.body).toMatchObject({
      action: 'rollback',
      reference_transaction_id: 'bet-x',
      round_finished: true,
    });
  });

  it('after a restart, the provider knows its packages, because a private file stores them', async () => {
    const { provider } = await givenWinner();
    await provider.app.close();
    const file = join(provider.dataDir, 'packages.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('gps_test');
    const again = await startProvider({ dataDir: provider.dataDir });
    const player = await openPlayer(again, { game_id: 'harbour-roulette' });
    expect((await player.spin(onRed)).status).toBe(200);
  });
});

it('a new registration of a package takes effect at once', async () => {
  const { wallet, player, provider } = await givenWinner();
  await register(provider, wallet, { key: 'gpk_second' });
  await player.spin(onRed);
  expect(wallet.received[0]?.headers['x-api-key']).toBe('gpk_second');
});

it.each([
  ['a key of the wrong length', { security: 'signed', aes_key: 'c2hvcnQ=' }],
  ['no key although one is required', { security: 'encrypted', aes_key: null }],
  ['a callback URL that is not http', { callback_url: 'ftp://x' }],
  ['a line break in a header', { key: 'a\r\nb' }],
])('a registration with %s is refused', async (_title, fields) => {
  const provider = await startProvider();
  const answer = await register(provider, await startWallet(), fields);
  expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_parameter' } }]);
});
