// POST {private}/v1/launches, {public}/v1/shared-launches, and the one-time address that they give.
import { describe, expect, it } from 'vitest';
import {
  apiToken,
  ask,
  bearer,
  launch,
  launchBody,
  launchGame,
  openPlayer,
  register,
  startProvider,
  startWallet,
} from './given.ts';

const demo = { mode: 'demo' };

describe('a launch', () => {
  it('the URL of a launch opens the game once without a cookie; later requests need the cookie', async () => {
    const provider = await startProvider();
    const { status, body } = await launch(provider, demo);
    const { launch_url: gameUrl, expires_at: until } = body as Record<string, string>;
    expect(status).toBe(201);
    expect(Date.parse(until as string)).toBeGreaterThan(Date.now());
    const first = await fetch(gameUrl as string);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(first.status).toBe(200);
    expect(await first.text()).toContain('Moon Harvest');
    expect(cookie).toMatch(/^play=[\w-]{32}; Path=\/play\/[\w-]{32}; HttpOnly; SameSite=Lax$/);
    const reload = await fetch(gameUrl as string, {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(reload.status).toBe(200);
    expect(reload.headers.get('set-cookie')).toBeNull();
    for (const headers of [{}, { cookie: `play=${'x'.repeat(32)}` }]) {
      const spent = await fetch(gameUrl as string, { headers: headers as Record<string, string> });
      expect(spent.status).toBe(410);
      expect(await spent.text()).toContain('This link no longer works');
    }
  });

  it('a launch opens the game for only one of ten concurrent requests', async () => {
    const provider = await startProvider();
    const gameUrl = await launchGame(provider, demo);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(gameUrl)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 410)).toHaveLength(9);
  });

  it('a launch still opens the game after a HEAD request and a prefetch', async () => {
    const provider = await startProvider();
    const gameUrl = await launchGame(provider, demo);
    await fetch(gameUrl, { method: 'HEAD' });
    await fetch(gameUrl, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect((await fetch(gameUrl)).status).toBe(200);
  });

  it('a request for an expired launch gets the same answer as one for an unknown launch', async () => {
    let passedMs = 0;
    const provider = await startProvider({ now: () => Date.now() + passedMs });
    const gameUrl = await launchGame(provider, demo);
    passedMs = 120_000;
    const late = await fetch(gameUrl);
    const never = await fetch(`${provider.url}/play/${'a'.repeat(32)}`);
    expect([late.status, never.status]).toEqual([410, 410]);
    expect(await late.text()).toBe(await never.text());
  });

  it('a launch opens a page without inline scripts and without requests to other origins', async () => {
    const provider = await startProvider();
    const gameUrl = await launchGame(provider, demo);
    const page = await fetch(gameUrl);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const text = await page.text();
    expect(text).not.toMatch(/<script(?![^>]*src=)|\sstyle=|\son\w+=|https?:/);
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toContain('/assets/game.js');
    for (const file of files) {
      expect((await fetch(provider.url + file)).status).toBe(200);
    }
  });
});

it('the cookie of a game with an https URL is Secure, and works in a frame of another site', async () => {
  const provider = await startProvider({ siteUrl: 'https://games.example' });
  const gameUrl = await launchGame(provider, demo);
  expect(gameUrl).toMatch(/^https:\/\/games\.example\/play\//);
  const page = await fetch(gameUrl.replace('https://games.example', provider.url));
  expect(page.headers.get('set-cookie')).toContain('; HttpOnly; SameSite=None; Secure; Partitioned');
});

it('a spin from a form of another site is refused', async () => {
  const provider = await startProvider();
  const player = await openPlayer(provider, demo);
  const answer = await fetch(`${player.gameUrl}/api/spin`, {
    method: 'POST',
    headers: { cookie: player.cookie, 'content-type': 'text/plain' },
    body: JSON.stringify({ round: 1, bet_minor: 100 }),
  });
  expect(answer.status).toBe(415);
});

it.each([
  ['de-CH', 'de-CH'],
  ['x', 'en'],
  ['"><script>', 'en'],
])('the language %s opens a page in %s', async (language, shown) => {
  const provider = await startProvider();
  const gameUrl = await launchGame(provider, { ...demo, language });
  expect(await (await fetch(gameUrl)).text()).toContain(`<html lang="${shown}">`);
});

describe('a refused launch', () => {
  it.each([
    ['404 for an unknown game', { game_id: 'no-such-game' }, 404, 'game_not_found'],
    ['409 for a game in maintenance', { game_id: 'driftwood-lullaby' }, 409, 'game_unavailable'],
    ['409 for a disabled game', { game_id: 'caravan-palace' }, 409, 'game_unavailable'],
    ['409 for a game without a demo', { game_id: 'copper-hollow' }, 409, 'game_unavailable'],
    [
      '400 for a return_url that is a script',
      { return_url: 'javascript:alert(1)' },
      400,
      'invalid_parameter',
    ],
    ['400 for an unknown currency', { currency: 'ZZZ' }, 400, 'invalid_parameter'],
    [
      '400 for a time that is not valid',
      { session_expires_at: '2026-99-01T00:00:00Z' },
      400,
      'invalid_parameter',
    ],
  ])('a launch gets %s', async (_title, fields, status, code) => {
    const provider = await startProvider();
    const answer = await launch(provider, { ...demo, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code, message: expect.any(String) } });
  });

  it('a launch for money gets 503 for an unregistered package, and 409 for a suspended package', async () => {
    const provider = await startProvider();
    const wallet = await startWallet();
    const early = await launch(provider);
    expect([early.status, early.body]).toMatchObject([503, { error: { code: 'package_not_registered' } }]);
    await register(provider, wallet, { active: false });
    const suspended = await launch(provider);
    expect([suspended.status, suspended.body]).toMatchObject([409, { error: { code: 'game_unavailable' } }]);
    await register(provider, wallet);
    expect((await launch(provider)).status).toBe(201);
  });
});

it('a shared launch opens the game without a request to the private API', async () => {
  const provider = await startProvider();
  const answer = await ask(`${provider.url}/public/v1/shared-launches`, {
    headers: bearer(apiToken),
    body: launchBody(demo),
  });
  expect(answer.status).toBe(201);
  expect((await fetch((answer.body as { launch_url: string }).launch_url)).status).toBe(200);
});

it('two games in one browser have separate sessions', async () => {
  const provider = await startProvider();
  const [one, two] = [await openPlayer(provider, demo), await openPlayer(provider, demo)];
  const mixed = await ask(`${one.gameUrl}/api/state`, { headers: { cookie: two.cookie } });
  expect([mixed.status, mixed.body]).toMatchObject([410, { code: 'session_ended' }]);
});
