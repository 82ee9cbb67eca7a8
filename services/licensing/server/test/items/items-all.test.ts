// GET /api/items/all: all published items of the account, newest id first, in one list or in pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';

const path = '/api/items/all';
let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

async function seller(count: number): Promise<{ key: string; ids: number[]; workspaceId: bigint }> {
  const workspaceId = await given.workspace();
  const ids = [];
  for (let i = 0; i < count; i++) ids.push(Number(await given.item(workspaceId, { name: `${i}` })));
  return { key: await given.apiKey(workspaceId), ids: ids.reverse(), workspaceId };
}

const get = (key: string, query = '', headers: Record<string, string> = {}) =>
  given.app.inject({ url: path + query, headers: { 'x-api-key': key, ...headers } });

const idsOf = (answer: Awaited<ReturnType<typeof get>>) =>
  (answer.json().items as { id: number }[]).map((item) => item.id);

const refusal = (code: string, msg: string) => ({
  status: 'error',
  code,
  msg,
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
});

describe('the list of all items', () => {
  it('a request for the list gets 404 if no item is published, even if there are drafts', async () => {
    const { key, workspaceId } = await seller(0);
    await given.item(workspaceId, { state: 'draft' });
    await given.item(workspaceId, { state: 'withdrawn' });
    for (const query of ['', '?page=1', '?category=x']) {
      const answer = await get(key, query);
      expect([answer.statusCode, answer.json()]).toEqual([404, refusal('no_items', 'No items found')]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it.each([1, 2])('the list of all items has all %i items of the account, newest first', async (count) => {
    const { key, ids } = await seller(count);
    const answer = await get(key);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['status', 'items']]);
    expect(answer.json().status).toBe('success');
    expect(idsOf(answer)).toEqual(ids);
  });

  it('the list has all 5,000 items of an account, and a second request gets the same bytes', async () => {
    const { key, workspaceId } = await seller(1);
    await given.db.query(
      `insert into items (workspace_id, kind, state, name, price_regular_minor,
         price_extended_minor, currency, published_at)
       select $1, 'image', 'published', 'Item ' || n, 100, 200, 'USD', now()
       from generate_series(1, 4999) n`,
      [workspaceId],
    );
    const first = await get(key);
    const ids = idsOf(first);
    expect(ids).toHaveLength(5000);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await get(key)).body).toBe(first.body);
  });
});

describe('an item in the list', () => {
  it('an item of each kind has exactly the specified fields', async () => {
    const { key, workspaceId } = await seller(0);
    const urls = {
      thumbnailUrl: 't',
      previewImageUrl: 'i',
      previewVideoUrl: 'v',
      previewAudioUrl: 'a',
    };
    await given.item(workspaceId, { kind: 'image', ...urls, screenshotUrls: ['s1', 's2'] });
    await given.item(workspaceId, { kind: 'video', ...urls });
    await given.item(workspaceId, { kind: 'audio', ...urls });
    const [audio, video, image] = (await get(key)).json().items;
    expect(image.media).toEqual({ thumbnail: 't', preview_image: 'i', screenshots: ['s1', 's2'] });
    expect(video.media).toEqual({ thumbnail: 't', preview_image: 'i', preview_video: 'v' });
    expect(audio.media).toEqual({ thumbnail: 't', preview_audio: 'a' });
    expect(audio).toEqual({
      id: expect.any(Number),
      name: 'Test item',
      description: '',
      category: '',
      sub_category: '',
      options: [],
      version: '1.0.0',
      demo_link: '',
      tags: [],
      media: expect.any(Object),
      price: { regular: 0, extended: 0 },
      currency: 'USD',
      published_at: '2026-05-04T10:00:00Z',
    });
  });

  it('an unpublished item and an item of another seller are not in the list', async () => {
    const mine = await seller(2);
    await seller(3);
    await given.item(mine.workspaceId, { state: 'draft' });
    expect(idsOf(await get(mine.key))).toEqual(mine.ids);
  });
});

describe('pages and filters of the list of items', () => {
  let own: Awaited<ReturnType<typeof seller>>;
  beforeAll(async () => {
    own = await seller(7);
    await given.item(own.workspaceId, { category: 'Fonts', updatedAt: new Date('2030-01-01') });
  });

  it('a request for a page gets the items of that page and `meta`', async () => {
    const first = await get(own.key, '?per_page=3');
    expect(first.json().items).toHaveLength(3);
    expect(first.json().meta).toEqual({ total: 8, page: 1, per_page: 3, total_pages: 3 });
    const third = await get(own.key, '?page=3&per_page=3');
    expect(idsOf(third)).toEqual(own.ids.slice(-2));
    expect((await get(own.key, '?page=9&per_page=3')).json().items).toEqual([]);
    expect((await get(own.key, '?page=1')).json().meta.per_page).toBe(100);
  });

  it('a filter gives all matching items', async () => {
    const fonts = await get(own.key, '?category=Fonts');
    expect(fonts.json().items).toHaveLength(1);
    expect(fonts.json().meta).toEqual({ total: 1, page: 1, per_page: 1, total_pages: 1 });
    const since = await get(own.key, '?updated_since=2029-12-31T23:59:59Z');
    expect(idsOf(since)).toEqual(idsOf(fonts));
    expect((await get(own.key, '?updated_since=2020-01-01')).json().meta.total).toBe(8);
  });

  it('a filter without matches gives an empty list if the account has items', async () => {
    const answer = await get(own.key, '?category=Nothing&page=1');
    expect([answer.statusCode, answer.json().items]).toEqual([200, []]);
    expect(answer.json().meta).toEqual({ total: 0, page: 1, per_page: 100, total_pages: 0 });
  });

  it('unknown parameters and empty parameters are ignored', async () => {
    const plain = await get(own.key);
    expect((await get(own.key, '?page=&category=&foo=1&foo=2')).body).toBe(plain.body);
  });

  it.each([
    ['?per_page=101', 'per_page'],
    ['?per_page=0', 'per_page'],
    ['?per_page=1e1', 'per_page'],
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=9999999999', 'page'],
    ['?page=1&page=2', 'page'],
    ['?category=a&category=b', 'category'],
    ['?category=%00', 'category'],
    ['?category=a%0Ab', 'category'],
    ['?updated_since=yesterday', 'updated_since'],
    ['?updated_since=2026-02-30', 'updated_since'],
  ])('the query %s is refused with 400', async (query, field) => {
    const answer = await get(own.key, query);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        ...refusal('invalid_parameter', 'Invalid request'),
        errors: { [field]: expect.any(Array) },
      },
    ]);
  });
});

describe('the ETag of a list', () => {
  it('a request with the ETag in If-None-Match gets 304 until the list changes', async () => {
    const { key, workspaceId } = await seller(2);
    const first = await get(key);
    const etag = first.headers.etag as string;
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await get(key, '', { 'if-none-match': tag });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get(key, '', { 'if-none-match': '"x"' })).statusCode).toBe(200);
    await given.item(workspaceId);
    const changed = await get(key, '', { 'if-none-match': etag });
    expect([changed.statusCode, idsOf(changed).length]).toEqual([200, 3]);
  });

  it('a page of the list has an ETag too, and HEAD returns the ETag of the whole list', async () => {
    const { key } = await seller(1);
    const page = await get(key, '?page=1');
    const headers = { 'if-none-match': page.headers.etag as string };
    expect((await get(key, '?page=1', headers)).statusCode).toBe(304);
    const whole = await get(key);
    const head = await given.app.inject({
      method: 'HEAD',
      url: path,
      headers: { 'x-api-key': key },
    });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', whole.headers.etag]);
  });
});

describe('the key of a request for the list', () => {
  it('the key may be in the query, and is refused without the scope items:read', async () => {
    const { key, workspaceId } = await seller(1);
    const answer = await given.app.inject({ url: `${path}?api_key=${key}` });
    expect(answer.statusCode).toBe(200);
    expect((await given.app.inject({ url: path })).json()).toEqual(
      refusal('api_key_missing', 'Invalid request'),
    );
    const narrow = await given.apiKey(workspaceId, { scopes: ['account:read'] });
    const refused = await get(narrow, '?page=0');
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      refusal('insufficient_scope', 'Invalid request'),
    ]);
  });
});
