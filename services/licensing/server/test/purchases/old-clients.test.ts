// Every field that docs/reference/old-clients.md lists is in the answers to a key for old plug-ins.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

const text = await readFile(new URL('../../../../../docs/reference/old-clients.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| `([^`]+)` \| (POST|GET) (\S+) \|/gm)].map(
  ([, field = '', method = '', path = '']) => ({ field, method, path }),
);

const media = {
  image: { thumbnailUrl: 'https://m.example/t.png', previewImageUrl: 'https://m.example/p.png' },
  video: {
    thumbnailUrl: 'https://m.example/t.png',
    previewImageUrl: 'https://m.example/p.png',
    previewVideoUrl: 'https://m.example/v.mp4',
  },
  audio: { thumbnailUrl: 'https://m.example/t.png', previewAudioUrl: 'https://m.example/a.mp3' },
} as const;
const kinds = ['image', 'video', 'audio'] as const;

let given: Given;
let workspaceId: bigint;
let old: string;
let plain: string;
const codes: Record<string, string> = {};

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace({
    account: { email: 's@x.example', currency: 'USD', avatarUrl: 'https://m.example/me.png' },
  });
  old = await given.apiKey(workspaceId, { legacyItem: true });
  plain = await given.apiKey(workspaceId);
  for (const kind of kinds) {
    const demoLink = kind === 'image' ? 'https://demo.example/x' : '';
    const itemId = await given.item(workspaceId, { kind, demoLink, ...media[kind] });
    const supportedUntil = new Date('2027-01-01T00:00:00Z');
    codes[kind] = (await given.purchase(workspaceId, itemId, { supportedUntil })).code;
  }
});
afterAll(() => given.close());

const read = (body: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], body);

const ask = async (key: string, kind: string) =>
  (await validate(given, json({ api_key: key, purchase_code: codes[kind] }))).json();

it('docs/reference/old-clients.md lists fields of validation and of account/details', () => {
  expect(new Set(rows.map(({ path }) => path))).toEqual(
    new Set(['/api/purchases/validation', '/api/account/details']),
  );
  expect(rows.length).toBeGreaterThan(20);
});

describe.each(kinds)('a valid code of an item of the kind %s', (kind) => {
  it('a key for old plug-ins gets every field that old-clients.md lists', async () => {
    const body = await ask(old, kind);
    for (const { field, path } of rows) {
      if (path !== '/api/purchases/validation') continue;
      expect([field, typeof read(body, field)]).toEqual([
        field,
        expect.stringMatching(/^(?:string|number)$/),
      ]);
    }
    expect(body.item.item.media.preview_image).toMatch(/^https:/);
    expect(body.item.item.url).toBe(kind === 'image' ? 'https://demo.example/x' : '');
  });

  it('all keys get equal fields in `data.purchase`, but only old plug-ins get purchased_at', async () => {
    const [{ data }, defaultAnswer] = [await ask(old, kind), await ask(plain, kind)];
    const { purchased_at, ...purchase } = data.purchase;
    expect(purchased_at).toBe(purchase.date);
    expect(purchase).toEqual(defaultAnswer.data.purchase);
    expect('preview_image' in purchase.item.media).toBe(kind !== 'audio');
    expect(Object.keys(defaultAnswer)).toEqual(['status', 'data']);
  });
});

it('if preview_image is empty, old clients get the thumbnail in the top-level item instead', async () => {
  const itemId = await given.item(workspaceId, { thumbnailUrl: media.image.thumbnailUrl });
  codes['without a picture'] = (await given.purchase(workspaceId, itemId)).code;
  const [body, defaultAnswer] = [await ask(old, 'without a picture'), await ask(plain, 'without a picture')];
  expect(body.item.item.media.preview_image).toBe(media.image.thumbnailUrl);
  expect(body.data.purchase.item.media.preview_image).toBe('');
  expect(defaultAnswer.data.purchase.item.media.preview_image).toBe('');
});

it('account/details returns every field that old-clients.md lists, with the key in the query', async () => {
  const answer = await given.app.inject(`/api/account/details?api_key=${old}`);
  for (const { field, path } of rows) {
    if (path !== '/api/account/details') continue;
    expect([field, typeof read(answer.json(), field)]).toEqual([
      field,
      expect.stringMatching(/^(?:string|number)$/),
    ]);
  }
});

it('the fast path and the router answer an old client with the same bytes', async () => {
  const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  const call = (body: string) =>
    fetch(`${url}/api/purchases/validation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': old },
      body,
    }).then((answer) => answer.text());
  const body = JSON.stringify({ purchase_code: codes.audio });
  const first = await call(body);
  expect(await call(body)).toBe(first);
  expect((await validate(given, json({ api_key: old, purchase_code: codes.audio }))).body).toBe(first);
});
