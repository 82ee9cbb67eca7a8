// POST {private}/v1/launches, {public}/v1/shared-launches, and the one-time address that they give.
import { describe, expect, it } from 'vitest';
import {
  apiToken,
  ask,
  bearer,
  launch,
  launchBody,
  register,
  sitDown,
  startProvider,
  startWallet,
} from './given.ts';

const demo = { mode: 'demo' };

describe('a launch', () => {
  it('gives an address that opens the game once, and then only for its own cookie', async () => {
    const provider = await startProvider();
    const { status, body } = await launch(provider, demo);
    const { launch_url: place, expires_at: until } = body as Record<string, string>;
    expect(status).toBe(201);
    expect(Date.parse(until as string)).toBeGreaterThan(Date.now());
    const first = await fetch(place as string);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(first.status).toBe(200);
    expect(await first.text()).toContain('Moon Harvest');
    expect(cookie).toMatch(/^play=[\w-]{32}; Path=\/play\/[\w-]{32}; HttpOnly; SameSite=Lax$/);
    const reload = await fetch(place as string, {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(reload.status).toBe(200);
    expect(reload.headers.get('set-cookie')).toBeNull();
    for (const headers of [{}, { cookie: `play=${'x'.repeat(32)}` }]) {
      const spent = await fetch(place as string, { headers: headers as Record<string, string> });
      expect(spent.status).toBe(410);
      expect(await spent.text()).toContain('This link is spent');
    }
  });

  it('is used up by one of many concurrent requests', async () => {
    const provider = await startProvider();
    const { launch_url: place } = (await launch(provider, demo)).body as { launch_url: string };
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(place)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 410)).toHaveLength(9);
  });

  it('is not used up by HEAD or a prefetch', async () => {
    const provider = await startProvider();
    const { launch_url: place } = (await launch(provider, demo)).body as { launch_url: string };
    await fetch(place, { method: 'HEAD' });
    await fetch(place, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect((await fetch(place)).status).toBe(200);
  });

  it('that has expired answers like one that never existed', async () => {
    let passedMs = 0;
    const provider = await startProvider({ now: () => Date.now() + passedMs });
    const { launch_url: place } = (await launch(provider, demo)).body as { launch_url: string };
    passedMs = 120_000;
    const late = await fetch(place);
    const never = await fetch(`${provider.url}/play/${'a'.repeat(32)}`);
    expect([late.status, never.status]).toEqual([410, 410]);
    expect(await late.text()).toBe(await never.text());
  });

  it('opens a page without inline scripts and without requests to other origins', async () => {
    const provider = await startProvider();
    const { launch_url: place } = (await launch(provider, demo)).body as { launch_url: string };
    const page = await fetch(place);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const text = await page.text();
    expect(text).not.toMatch(/<script(?![^>]*src=)|\sstyle=|\son\w+=|https?:/);
    for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await fetch(provider.url + file)).status).toBe(200);
    }
  });
});

it('with https the cookie is Secure, and works in a frame of another site', async () => {
  const provider = await startProvider({ siteUrl: 'https://games.example' });
  const { launch_url: place } = (await launch(provider, demo)).body as { launch_url: string };
  expect(place).toMatch(/^https:\/\/games\.example\/play\//);
  const page = await fetch(place.replace('https://games.example', provider.url));
  expect(page.headers.get('set-cookie')).toContain(
    '; HttpOnly; SameSite=None; Secure; Partitioned',
  );
});

it('a spin from a form of another site is refused', async () => {
  const provider = await startProvider();
  const player = await sitDown(provider, demo);
  const answer = await fetch(`${player.place}/api/spin`, {
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
  const { launch_url: place } = (await launch(provider, { ...demo, language })).body as {
    launch_url: string;
  };
  expect(await (await fetch(place)).text()).toContain(`<html lang="${shown}">`);
});

describe('a launch is refused', () => {
  it.each([
    ['404 for an unknown game', { game_id: 'no-such-game' }, 404, 'game_not_found'],
    ['409 for a game in maintenance', { game_id: 'driftwood-lullaby' }, 409, 'game_unavailable'],
    ['409 for a disabled game', { game_id: 'caravan-palace' }, 409, 'game_unavailable'],
    ['409 for a demo that is not there', { game_id: 'copper-hollow' }, 409, 'game_unavailable'],
    [
      '400 for a return_url that is a script',
      { return_url: 'javascript:alert(1)' },
      400,
      'invalid_parameter',
    ],
    ['400 for an unknown currency', { currency: 'ZZZ' }, 400, 'invalid_parameter'],
    [
      '400 for a time that is none',
      { session_expires_at: '2026-99-01T00:00:00Z' },
      400,
      'invalid_parameter',
    ],
  ])('%s', async (_title, fields, status, code) => {
    const provider = await startProvider();
    const answer = await launch(provider, { ...demo, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code, message: expect.any(String) } });
  });

  it('503 for money while the package is not registered, 409 while it is suspended', async () => {
    const provider = await startProvider();
    const wallet = await startWallet();
    const early = await launch(provider);
    expect([early.status, early.body]).toMatchObject([
      503,
      { error: { code: 'package_not_registered' } },
    ]);
    await register(provider, wallet, { active: false });
    const suspended = await launch(provider);
    expect([suspended.status, suspended.body]).toMatchObject([
      409,
      { error: { code: 'game_unavailable' } },
    ]);
    await register(provider, wallet);
    expect((await launch(provider)).status).toBe(201);
  });
});

it('a shared launch opens the game as a private one does, without the private API', async () => {
  const provider = await startProvider();
  const answer = await ask(`${provider.url}/public/v1/shared-launches`, {
    headers: bearer(apiToken),
    body: launchBody(demo),
  });
  expect(answer.status).toBe(201);
  expect((await fetch((answer.body as { launch_url: string }).launch_url)).status).toBe(200);
});

it('two games in one browser are separate', async () => {
  const provider = await startProvider();
  const [one, two] = [await sitDown(provider, demo), await sitDown(provider, demo)];
  const mixed = await ask(`${one.place}/api/state`, { headers: { cookie: two.cookie } });
  expect([mixed.status, mixed.body]).toMatchObject([410, { code: 'session_ended' }]);
});
