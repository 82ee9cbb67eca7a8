// Faults on demand: each is ordered through the control API and seen from outside.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  apiToken,
  ask,
  bearer,
  control,
  launchBody,
  openProvider,
  register,
  sitDown,
  startProvider,
  startWallet,
  uid,
} from './given.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

const catalogues = { private: 'private/v1/games', public: 'public/v1/games' } as const;
const getGames = (provider: Provider, target: keyof typeof catalogues, signal?: AbortSignal) =>
  fetch(`${provider.url}/${catalogues[target]}`, {
    headers: bearer(apiToken),
    ...(signal && { signal }),
  });

/** One for all tests that need no wallet; each orders the faults that it is about. */
let common: Awaited<ReturnType<typeof openProvider>>;
beforeAll(async () => {
  common = await openProvider({ dataDir: await mkdtemp(join(tmpdir(), 'counterfoil-faults-')) });
});
afterAll(async () => {
  await common.close();
  await rm(common.dataDir, { recursive: true, force: true });
});

describe.each(['private', 'public'] as const)('the %s catalogue on demand', (target) => {
  const order = async (fault: string) => {
    const provider = common;
    const ordered = await control(provider, 'faults', { [target]: fault });
    expect([ordered.status, ordered.body]).toMatchObject([200, { [target]: fault }]);
    return provider;
  };

  it('is down: the connection breaks', async () => {
    await expect(getGames(await order('down'), target)).rejects.toThrow('fetch failed');
  });

  it('is unavailable: 503', async () => {
    expect((await getGames(await order('unavailable'), target)).status).toBe(503);
  });

  it('stalls: nothing comes', async () => {
    const provider = await order('stall');
    const arrived = once(provider.app.server, 'request');
    const given = new AbortController();
    const waiting = getGames(provider, target, given.signal);
    await arrived;
    // Another request comes after it and is answered; the one that stalls is not.
    expect((await control(provider, 'faults')).status).toBe(200);
    given.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });

  it('answers with a page', async () => {
    const answer = await getGames(await order('html'), target);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('is empty', async () => {
    expect(await (await getGames(await order('empty'), target)).json()).toMatchObject({
      games: [],
    });
  });

  it('has shrunk to a fifth', async () => {
    const { games } = (await (await getGames(await order('shrunk'), target)).json()) as {
      games: [];
    };
    expect(games.length).toBe(target === 'private' ? 40 : 28);
  });

  it('answers with 50 MB', async () => {
    let size = 0;
    for await (const chunk of (await getGames(await order('huge'), target)).body ?? [])
      size += chunk.length;
    expect(size).toBeGreaterThanOrEqual(50 * 1024 * 1024);
  });

  it('drips: the answer begins and does not end', async () => {
    const provider = await order('drip');
    const answer = await getGames(provider, target);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    const second = await reader?.read();
    const begun = (first?.value?.length ?? 0) + (second?.value?.length ?? 0);
    expect(second?.done).toBe(false);
    await reader?.cancel();
    await control(provider, 'faults', {});
    const whole = await (await getGames(provider, target)).text();
    expect(begun).toBeLessThan(whole.length);
  });

  it('does not affect the other target, and ends when it is cancelled', async () => {
    const provider = await order('unavailable');
    const other = target === 'private' ? 'public' : 'private';
    expect((await getGames(provider, other)).status).toBe(200);
    await control(provider, 'faults', {});
    expect((await getGames(provider, target)).status).toBe(200);
  });
});

it('a shared launch can be down by itself', async () => {
  const provider = common;
  await control(provider, 'faults', { shared: 'unavailable' });
  const body = launchBody({ mode: 'demo' });
  const shared = await ask(`${provider.url}/public/v1/shared-launches`, {
    headers: bearer(apiToken),
    body,
  });
  const own = await ask(`${provider.url}/private/v1/launches`, { headers: bearer(apiToken), body });
  expect([shared.status, own.status]).toEqual([503, 201]);
});

it('a fault ends when its time is over', async () => {
  let time = Date.parse('2026-05-04T10:00:00Z');
  const provider = await startProvider({ now: () => time });
  const { body } = await control(provider, 'faults', { public: 'unavailable', for_seconds: 10 });
  expect((body as { until: string }).until).toBe('2026-05-04T10:00:10.000Z');
  time += 9999;
  expect((await getGames(provider, 'public')).status).toBe(503);
  time += 1;
  expect((await getGames(provider, 'public')).status).toBe(200);
  expect((await control(provider, 'faults')).body).toMatchObject({ public: null, until: null });
});

describe('callbacks on demand', () => {
  async function seat(faults: object) {
    const wallet = await startWallet();
    const provider = await startProvider({ draw: () => 3 });
    await register(provider, wallet);
    await control(provider, 'faults', faults);
    const player = await sitDown(provider, { game_id: 'harbour-roulette' });
    return { wallet, provider, player };
  }
  const onRed = { round: 1, bet_minor: 100, field: 'red' };

  it('come twice', async () => {
    const { wallet, player } = await seat({ duplicate_callbacks: true });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101 });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'win', 'win']);
  });

  it('come in the wrong order: the win before its bet', async () => {
    const { wallet, player } = await seat({ reorder_callbacks: true });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['win', 'bet', 'win']);
  });

  it('lose their first answers and are sent again', async () => {
    const { wallet, player } = await seat({ lose_answers: 2 });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'win', 'win', 'win']);
  });

  it('storm: the last one is sent many times in parallel', async () => {
    const { wallet, player, provider } = await seat({});
    await player.spin(onRed);
    const { body } = await control(provider, 'storms', { uid, count: 50, parallel: 10 }, 'POST');
    expect(body).toEqual({ sent: 50, answers: { 'accepted 200': 50 } });
    expect(wallet.received).toHaveLength(52);
    expect(wallet.balance).toBe(101);
  });

  it('storm with a given body', async () => {
    const { wallet, provider } = await seat({});
    const callback = {
      action: 'bet',
      player_id: 'p-1',
      transaction_id: 'one',
      amount: 5,
      round_id: 'r',
    };
    await control(provider, 'storms', { uid, count: 20, parallel: 20, body: callback }, 'POST');
    expect(wallet.received.map(({ body }) => body)).toEqual(Array(20).fill(callback));
    expect(wallet.balance).toBe(95);
  });

  it('are listed with their verdicts and without secrets', async () => {
    const { player, provider } = await seat({});
    await player.spin(onRed);
    const { body } = await control(provider, 'deliveries');
    expect(body).toMatchObject({
      pending: [],
      deliveries: [
        { uid, action: 'win', attempt: 1, status: 200, verdict: 'accepted', detail: 'applied' },
        { uid, action: 'bet', attempt: 1, status: 200, verdict: 'accepted', detail: 'applied' },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/gps_|gpk_|secret|aes/);
  });
});

describe('the control API', () => {
  it.each([
    ['GET', 'faults'],
    ['PUT', 'faults'],
    ['POST', 'storms'],
    ['GET', 'deliveries'],
  ])('%s %s answers 401 without its own token', async (method, path) => {
    const { url } = common;
    for (const headers of [{}, bearer(apiToken)] as Record<string, string>[]) {
      const body = method === 'GET' ? {} : { body: {} };
      expect((await ask(`${url}/control/${path}`, { method, headers, ...body })).status).toBe(401);
    }
  });

  it.each([
    [{ private: 'explode' }],
    [{ lose_answers: -1 }],
    [{ unknown: true }],
    [{ for_seconds: 1e9 }],
  ])('refuses %j', async (body) => {
    expect((await control(common, 'faults', body)).status).toBe(400);
  });

  it('has a page that shows nothing without the token', async () => {
    const { url } = common;
    const page = await fetch(`${url}/control`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('Control token');
  });
});
