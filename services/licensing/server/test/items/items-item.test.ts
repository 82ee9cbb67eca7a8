// GET /api/items/item: one published item of the account, by its id.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';

const path = '/api/items/item';
let given: Given;
let key: string;
let workspaceId: bigint;
let itemId: bigint;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId);
  itemId = await given.item(workspaceId, {
    name: 'Lantern',
    tags: ['a'],
    priceRegularMinor: 1050n,
  });
});

afterAll(() => given.close());

const get = (query: string, headers: Record<string, string> = { 'x-api-key': key }) =>
  given.app.inject({ url: path + query, headers });

const refusal = (code: string, msg = 'Item Not Found') => ({
  status: 'error',
  code,
  msg,
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
});

describe('an item of the account', () => {
  it('the item is returned under `item`, with the same fields as in the list', async () => {
    const answer = await get(`?item_id=${itemId}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'success',
      item: {
        id: Number(itemId),
        name: 'Lantern',
        description: '',
        category: '',
        sub_category: '',
        options: [],
        version: '1.0.0',
        demo_link: '',
        tags: ['a'],
        media: { thumbnail: '', preview_image: '' },
        price: { regular: 10.5, extended: 0 },
        currency: 'USD',
        published_at: '2026-05-04T10:00:00Z',
      },
    });
    const list = await given.app.inject({ url: '/api/items/all', headers: { 'x-api-key': key } });
    expect(list.json().items).toContainEqual(answer.json().item);
  });

  it.each([
    ['the key in the query', (k: string) => get(`?item_id=${itemId}&api_key=${k}`, {})],
    ['a bearer token', (k: string) => get(`?item_id=${itemId}`, { authorization: `Bearer ${k}` })],
    ['the same id twice', () => get(`?item_id=${itemId}&item_id=${itemId}`)],
    ['leading zeros and unknown parameters', () => get(`?item_id=00${itemId}&domain=x`)],
  ])('an item of the account can be requested with %s', async (_title, send) => {
    expect((await send(key)).statusCode).toBe(200);
  });

  it('the item has an ETag: a request with this ETag gets 304, and HEAD gets the same ETag', async () => {
    const first = await get(`?item_id=${itemId}`);
    const etag = first.headers.etag as string;
    const again = await get(`?item_id=${itemId}`, { 'x-api-key': key, 'if-none-match': etag });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    const head = await given.app.inject({
      method: 'HEAD',
      url: `${path}?item_id=${itemId}`,
      headers: { 'x-api-key': key },
    });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
  });

  it('a changed item is returned with its new data', async () => {
    const changing = await given.item(workspaceId, { name: 'Before' });
    expect((await get(`?item_id=${changing}`)).json().item.name).toBe('Before');
    await given.db.query(`update items set name = 'After' where id = $1`, [changing]);
    expect((await get(`?item_id=${changing}`)).json().item.name).toBe('After');
  });
});

describe('a refused request for an item', () => {
  it.each([
    ['missing', ''],
    ['empty', '?item_id='],
    ['zero', '?item_id=0'],
    ['negative', '?item_id=-1'],
    ['a fraction', '?item_id=1.5'],
    ['in hexadecimal', '?item_id=0x10'],
    ['a word', '?item_id=abc'],
    ['a number with a NUL', '?item_id=1%00'],
    ['a list', '?item_id[]=1'],
    ['sent twice', '?item_id=1&item_id=2'],
  ])('a request gets 400 if its item_id is %s', async (_title, query) => {
    const answer = await get(query);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { ...refusal('invalid_parameter'), errors: { item_id: expect.any(Array) } },
    ]);
  });

  it('ids of unknown, draft, withdrawn or foreign items and too large ids get the same answer', async () => {
    const stranger = await given.workspace();
    const ids = [
      999_999_999n,
      await given.item(workspaceId, { state: 'draft' }),
      await given.item(workspaceId, { state: 'withdrawn' }),
      await given.item(stranger),
      '9'.repeat(40),
    ];
    const bodies = new Set<string>();
    for (const id of ids) {
      const answer = await get(`?item_id=${id}`);
      expect([answer.statusCode, answer.json()]).toEqual([404, refusal('item_not_found')]);
      bodies.add(answer.body.replace(answer.headers['x-request-id'] as string, 'ID'));
    }
    expect(bodies.size).toBe(1);
  });

  it('the error of a wrong key is reported before the error of an invalid id', async () => {
    expect((await get('?item_id=x', {})).json()).toEqual(refusal('api_key_missing', 'Invalid request'));
    const narrow = await given.apiKey(workspaceId, { scopes: ['account:read'] });
    expect((await get('?item_id=x', { 'x-api-key': narrow })).json()).toEqual(
      refusal('insufficient_scope', 'Invalid request'),
    );
  });
});
