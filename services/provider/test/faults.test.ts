// Faults on demand: each test turns on a fault through the control API and observes its effect as a client.
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
  drawing,
  givenPlayer,
  launchBody,
  onRed,
  openProvider,
  startProvider,
  uid,
} from './given.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

const catalogues = { private: 'private/v1/games', public: 'public/v1/games' } as const;
const getGames = (provider: Provider, target: keyof typeof catalogues, signal?: AbortSignal) =>
  fetch(`${provider.url}/${catalogues[target]}`, {
    headers: bearer(apiToken),
    ...(signal && { signal }),
  });

/** The provider that all tests without a wallet share. Each test turns on its own faults. */
let common: Awaited<ReturnType<typeof openProvider>>;
beforeAll(async () => {
  common = await openProvider({ dataDir: await mkdtemp(join(tmpdir(), 'counterfoil-faults-')) });
});
afterAll(async () => {
  await common.close();
  await rm(common.dataDir, { recursive: true, force: true });
});

describe.each(['private', 'public'] as const)('the %s catalogue', (target) => {
  const order = async (fault: string) => {
    const provider = common;
    const ordered = await control(provider, 'faults', { [target]: fault });
    expect([ordered.status, ordered.body]).toMatchObject([200, { [target]: fault }]);
    return provider;
  };

  it('the catalogue closes the connection under the fault `down`', async () => {
    await expect(getGames(await order('down'), target)).rejects.toThrow('fetch failed');
  });

  it('the catalogue answers 503 under the fault `unavailable`', async () => {
    expect((await getGames(await order('unavailable'), target)).status).toBe(503);
  });

  it('the catalogue sends no answer under the fault `stall`', async () => {
    const provider = await order('stall');
    const arrived = once(provider.app.server, 'request');
    const given = new AbortController();
    const waiting = getGames(provider, target, given.signal);
    await arrived;
    // The provider answers a later request, while the stalled request still waits.
    expect((await control(provider, 'faults')).status).toBe(200);
    given.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });

  it('the catalogue answers with an HTML page under the fault `html`', async () => {
    const answer = await getGames(await order('html'), target);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('the catalogue lists no games under the fault `empty`', async () => {
    expect(await (await getGames(await order('empty'), target)).json()).toMatchObject({
      games: [],
    });
  });

  it('the catalogue lists a fifth of the games under the fault `shrunk`', async () => {
    const { games } = (await (await getGames(await order('shrunk'), target)).json()) as {
      games: [];
    };
    expect(games.length).toBe(target === 'private' ? 40 : 28);
  });

  it('the catalogue answers with 50 MB under the fault `huge`', async () => {
    let size = 0;
    for await (const chunk of (await getGames(await order('huge'), target)).body ?? []) size += chunk.length;
    expect(size).toBeGreaterThanOrEqual(50 * 1024 * 1024);
  });

  it('the catalogue sends the answer slowly under the fault `drip`', async () => {
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

  it('a fault affects only one catalogue, and that catalogue works again after the fault ends', async () => {
    const provider = await order('unavailable');
    const other = target === 'private' ? 'public' : 'private';
    expect((await getGames(provider, other)).status).toBe(200);
    await control(provider, 'faults', {});
    expect((await getGames(provider, target)).status).toBe(200);
  });
});

it('a fault that is set for shared launches does not affect private launches', async () => {
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

it('a fault ends after the requested number of seconds', async () => {
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

describe('callbacks', () => {
  async function givenFaults(faults: object) {
    const given = await givenPlayer(drawing(3));
    await control(given.provider, 'faults', faults);
    return given;
  }

  it('the provider sends each callback twice under the fault duplicate_callbacks', async () => {
    const { wallet, player } = await givenFaults({ duplicate_callbacks: true });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101 });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'win', 'win']);
  });

  it('the provider sends a win before its bet under the fault reorder_callbacks', async () => {
    const { wallet, player } = await givenFaults({ reorder_callbacks: true });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['win', 'bet', 'win']);
  });

  it('the provider sends each callback three times if lose_answers discards two answers', async () => {
    const { wallet, player } = await givenFaults({ lose_answers: 2 });
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'win', 'win', 'win']);
  });

  it('a storm with the count 50 sends the same callback 50 times, ten in parallel', async () => {
    const { wallet, player, provider } = await givenFaults({});
    await player.spin(onRed);
    const { body } = await control(provider, 'storms', { uid, count: 50, parallel: 10 }, 'POST');
    expect(body).toEqual({ sent: 50, answers: { 'accepted 200': 50 } });
    expect(wallet.received).toHaveLength(52);
    expect(wallet.balance).toBe(101);
  });

  it('each callback of a storm has the body from the request that started the storm', async () => {
    const { wallet, provider } = await givenFaults({});
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

  it('the control API lists callbacks with their verdicts and without secrets', async () => {
    const { player, provider } = await givenFaults({});
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
  ])('the control API answers 401 to %s %s without the control token', async (method, path) => {
    const { url } = common;
    for (const headers of [{}, bearer(apiToken)] as Record<string, string>[]) {
      const body = method === 'GET' ? {} : { body: {} };
      expect((await ask(`${url}/control/${path}`, { method, headers, ...body })).status).toBe(401);
    }
  });

  it.each([[{ private: 'explode' }], [{ lose_answers: -1 }], [{ unknown: true }], [{ for_seconds: 1e9 }]])(
    'the control API refuses the faults %j',
    async (body) => {
      expect((await control(common, 'faults', body)).status).toBe(400);
    },
  );

  it('the control API has a page that asks for the control token', async () => {
    const { url } = common;
    const page = await fetch(`${url}/control`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('Control token');
  });
});
