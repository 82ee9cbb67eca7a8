// GET {private}/v1/games and GET {public}/v1/games list the games; every game has two pictures.
import { expect, it } from 'vitest';
import { apiToken, ask, bearer, startProvider } from './given.ts';

interface Listed {
  updated_at: string;
  games: Record<string, unknown>[];
}

it('the private catalogue lists 200 different games with all fields', async () => {
  const { url } = await startProvider();
  const answer = await ask(`${url}/private/v1/games`, { headers: bearer(apiToken) });
  const { games, updated_at: updatedAt } = answer.body as Listed;
  expect(answer.status).toBe(200);
  expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(games).toHaveLength(200);
  expect(new Set(games.map(({ id }) => id)).size).toBe(200);
  expect(new Set(games.map(({ name }) => name)).size).toBe(200);
  for (const game of games) {
    expect(game).toEqual({
      id: expect.stringMatching(/^[a-z0-9-]+$/),
      name: expect.any(String),
      provider: expect.any(String),
      category: expect.stringMatching(/^(?:slots|classic|table|instant)$/),
      image: `${url}/pictures/${game.id}/square.svg`,
      images: {
        square: `${url}/pictures/${game.id}/square.svg`,
        wide: `${url}/pictures/${game.id}/wide.svg`,
      },
      rtp: expect.any(Number),
      volatility: expect.stringMatching(/^(?:low|medium|high)$/),
      has_demo: expect.any(Boolean),
      platforms: expect.arrayContaining([expect.stringMatching(/^(?:desktop|mobile)$/)]),
      status: expect.stringMatching(/^(?:active|maintenance|disabled)$/),
    });
  }
  const statuses = new Set(games.map(({ status }) => status));
  expect(statuses).toEqual(new Set(['active', 'maintenance', 'disabled']));
});

it('the public catalogue needs no token, and has fewer games with fewer fields', async () => {
  const { url } = await startProvider();
  const all = (await ask(`${url}/private/v1/games`, { headers: bearer(apiToken) })).body as Listed;
  const { games } = (await ask(`${url}/public/v1/games`)).body as Listed;
  expect(games.length).toBeGreaterThan(all.games.length / 2);
  expect(games.length).toBeLessThan(all.games.length);
  for (const game of games) {
    expect(Object.keys(game)).toEqual(['id', 'name', 'provider', 'category', 'image', 'status']);
    expect(all.games.find(({ id }) => id === game.id)).toMatchObject(game);
  }
});

it('the catalogue has the same bytes after every start', async () => {
  const texts = await Promise.all(
    [1, 2].map(async () => {
      const { url } = await startProvider();
      const answer = await fetch(`${url}/private/v1/games`, { headers: bearer(apiToken) });
      return (await answer.text()).replaceAll(url, '');
    }),
  );
  expect(texts[0]).toBe(texts[1]);
});

it.each([
  ['no token', {}],
  ['a wrong token', bearer('wrong')],
  ['the token without its scheme', { authorization: apiToken }],
])('routes that need the API token answer 401 with a code to %s', async (_title, headers) => {
  const { url } = await startProvider();
  for (const [method, path] of [
    ['GET', 'private/v1/games'],
    ['POST', 'private/v1/launches'],
    ['PUT', 'private/v1/packages/UID_1'],
    ['POST', 'public/v1/shared-launches'],
  ]) {
    const body = method === 'GET' ? {} : { body: {} };
    const answer = await ask(`${url}/${path}`, { method, headers, ...body } as never);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: { code: 'auth_invalid', message: expect.any(String) } });
  }
});

it('every game has two different pictures, which run no scripts and are cacheable', async () => {
  const { url, app } = await startProvider();
  const { games } = (await ask(`${url}/private/v1/games`, { headers: bearer(apiToken) })).body as Listed;
  const drawn = new Set<string>();
  for (const { id, name } of games) {
    for (const format of ['square', 'wide']) {
      const picture = await app.inject(`/pictures/${id}/${format}.svg`);
      expect(picture.statusCode).toBe(200);
      expect(picture.headers['content-type']).toContain('image/svg+xml');
      expect(picture.headers['cache-control']).toContain('max-age=');
      expect(picture.body).toContain(`aria-label="${name}"`);
      expect(picture.body).not.toMatch(/<script|NaN|undefined|\son\w+=/);
      drawn.add(picture.body);
    }
  }
  expect(drawn.size).toBe(400);
});

it('a cached picture gets 304, and the picture of an unknown game gets 404', async () => {
  const { app } = await startProvider();
  const first = await app.inject('/pictures/moon-harvest/symbols/0.svg');
  expect(first.body).toContain('WILD');
  const headers = { 'if-none-match': String(first.headers.etag) };
  const again = await app.inject({ url: '/pictures/moon-harvest/symbols/0.svg', headers });
  expect(again.statusCode).toBe(304);
  for (const path of ['moon-harvest/symbols/8', 'nothing/square', 'harbour-roulette/symbols/0']) {
    expect((await app.inject(`/pictures/${path}.svg`)).statusCode).toBe(404);
  }
});
