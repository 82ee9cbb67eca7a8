// POST /api/purchases/validation: a valid code gives the same purchase in every supported request format.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { form, json, multipart, validate } from '../environment/validation-calls.ts';

let given: Given;
let key: string;
let workspaceId: bigint;
let itemId: bigint;
let code: string;

const item = {
  name: 'Lantern Theme',
  description: 'A theme – "quiet"',
  category: 'Themes',
  subCategory: 'Blog',
  options: ['responsive', 'dark'],
  version: '2.10.3',
  demoLink: 'https://demo.example/lantern',
  tags: ['blog', 'minimal'],
  thumbnailUrl: 'https://m.example/t.png',
  previewImageUrl: 'https://m.example/p.png',
  screenshotUrls: ['https://m.example/1.png'],
  priceRegularMinor: 2900n,
  priceExtendedMinor: 19_999n,
  publishedAt: new Date('2025-06-07T08:09:10.999Z'),
};

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId);
  itemId = await given.item(workspaceId, item);
  code = (
    await given.purchase(workspaceId, itemId, {
      priceMinor: 2407n,
      purchasedAt: new Date('2026-01-02T03:04:05.678Z'),
      supportedUntil: new Date('2026-12-31T23:59:59.999Z'),
    })
  ).code;
});

afterAll(() => given.close());

const purchaseOf = async (wantedCode: string, secret = key) =>
  (await validate(given, json({ api_key: secret, purchase_code: wantedCode }))).json().data.purchase;

describe('a valid code', () => {
  it('a valid code is answered exactly as specified', async () => {
    const answer = await validate(given, json({ api_key: key, purchase_code: code }));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      status: 'success',
      data: {
        purchase: {
          purchase_code: code,
          license_type: 'Regular',
          price: 24.07,
          currency: 'USD',
          item: {
            id: Number(itemId),
            name: 'Lantern Theme',
            description: 'A theme – "quiet"',
            category: 'Themes',
            sub_category: 'Blog',
            options: ['responsive', 'dark'],
            version: '2.10.3',
            demo_link: 'https://demo.example/lantern',
            tags: ['blog', 'minimal'],
            media: {
              thumbnail: 'https://m.example/t.png',
              preview_image: 'https://m.example/p.png',
              screenshots: ['https://m.example/1.png'],
            },
            price: { regular: 29, extended: 199.99 },
            currency: 'USD',
            published_at: '2025-06-07T08:09:10Z',
          },
          supported_until: '2026-12-31T23:59:59Z',
          downloaded: false,
          date: '2026-01-02T03:04:05Z',
        },
      },
    });
    expect(answer.body).not.toContain('null');
  });

  it('a valid code may be sent with blanks around it, and in capital or small letters', async () => {
    for (const given of [code.toUpperCase(), `  ${code}\n`, ` ${code.toUpperCase()}\t`]) {
      expect((await purchaseOf(given)).purchase_code).toBe(code);
    }
    const own = await given.purchase(workspaceId, itemId, { code: 'ÄRGER-Code 7' });
    expect((await purchaseOf('ärger-CODE 7')).purchase_code).toBe(own.code);
    // The Greek sigma has two lower-case forms, σ and ς, which must count as the same letter.
    for (const code of ['οδός', 'νομοσ']) {
      const greek = await given.purchase(workspaceId, itemId, { code });
      for (const sent of [code, code.toUpperCase(), code.replace(/.$/, 'ς')])
        expect((await purchaseOf(sent)).purchase_code).toBe(greek.code);
    }
  });

  it('the answer has the price paid, the licence type, and whether the item was downloaded', async () => {
    const sale = await given.purchase(workspaceId, itemId, {
      licenseType: 'Extended',
      priceMinor: 500n,
      currency: 'JPY',
      downloadedAt: given.clock.now,
    });
    expect(await purchaseOf(sale.code)).toMatchObject({
      license_type: 'Extended',
      price: 500,
      currency: 'JPY',
      downloaded: true,
    });
  });

  it('a valid code returns the current data of the item, even if the item was withdrawn', async () => {
    const changing = await given.item(workspaceId, { name: 'Before' });
    const sale = await given.purchase(workspaceId, changing);
    expect((await purchaseOf(sale.code)).item.name).toBe('Before');
    await given.db.query(`update items set name = 'After', state = 'withdrawn' where id = $1`, [changing]);
    expect((await purchaseOf(sale.code)).item.name).toBe('After');
  });

  it.each([
    ['image', ['preview_image', 'thumbnail']],
    ['video', ['preview_image', 'preview_video', 'thumbnail']],
    ['audio', ['preview_audio', 'thumbnail']],
  ] as const)('a valid code of a %s item returns only the media of that kind', async (kind, media) => {
    const other = await given.item(workspaceId, { kind });
    const sale = await given.purchase(workspaceId, other);
    expect(Object.keys((await purchaseOf(sale.code)).item.media).sort()).toEqual(media);
  });

  it('the answer to a key for old plug-ins also has the purchase at the top level', async () => {
    const legacy = await given.apiKey(workspaceId, { legacyItem: true });
    const body = (await validate(given, json({ api_key: legacy, purchase_code: code }))).json();
    const { item } = body.data.purchase;
    expect(body.item).toEqual({ ...body.data.purchase, item: { ...item, url: item.demo_link } });
  });
});

describe('the support of a purchase', () => {
  it('supported_until is in the answer even after its time, and absent without support', async () => {
    const past = new Date('2001-01-01T00:00:00Z');
    const ended = await given.purchase(workspaceId, itemId, { supportedUntil: past });
    expect((await purchaseOf(ended.code)).supported_until).toBe('2001-01-01T00:00:00Z');
    const none = await given.purchase(workspaceId, itemId);
    expect(await purchaseOf(none.code)).not.toHaveProperty('supported_until');
  });

  it('supported_until is absent if the workspace has switched support off', async () => {
    const off = await given.workspace({ supportEnabled: false });
    const sale = await given.purchase(off, await given.item(off), {
      supportedUntil: new Date('2030-01-01T00:00:00Z'),
    });
    const purchase = await purchaseOf(sale.code, await given.apiKey(off));
    expect(purchase).not.toHaveProperty('supported_until');
  });
});

describe('the answer to a request in one of the formats that old clients send', () => {
  const both = () => ({ api_key: key, purchase_code: code });
  const extra = {
    license_key: 'x',
    code: null,
    domain: 'https://shop.example',
    product: null,
    product_slug: 'lantern',
    client_id: 7,
    item_id: '12',
    nested: { purchase_code: 'other' },
  };
  const query = () => new URLSearchParams(both()).toString();
  const text = (body: object, headers: Record<string, string>) => ({
    headers,
    payload: JSON.stringify(body),
  });

  it.each([
    ['JSON', () => json(both())],
    [
      'JSON with unknown and null fields, the key in both headers',
      () => json({ ...both(), ...extra }, { 'x-api-key': key, authorization: `Bearer ${key}` }),
    ],
    ['JSON without a content type', () => text(both(), {})],
    ['JSON with the content type text/plain', () => text(both(), { 'content-type': 'text/plain' })],
    [
      'JSON with the content type of a form',
      () => text({ ...extra, ...both() }, { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['JSON with an invalid content type', () => text(both(), { 'content-type': 'nonsense' })],
    ['JSON, the key in the header', () => json({ purchase_code: code }, { 'x-api-key': key })],
    ['JSON, the key in the query', () => json({ purchase_code: code }, {}, `api_key=${key}`)],
    ['a form', () => form({ ...both(), domain: 'x' })],
    ['multipart', () => multipart([...Object.entries(both()), ['domain', 'x']])],
    ['only the query', () => ({ query: query() })],
    ['the query, with an empty JSON body', () => json({}, {}, query())],
    ['the same values in the query and the body', () => json(both(), {}, query())],
    [
      'the same values twice in the query, and in capitals in the body',
      () => json({ purchase_code: code.toUpperCase() }, { 'x-api-key': key }, `${query()}&${query()}`),
    ],
    ['a body, with empty values in the query', () => json(both(), {}, 'purchase_code=&api_key=')],
  ])('the answer is the same if the key and the code are sent as %s', async (_title, call) => {
    const plain = await validate(given, json(both()));
    const answer = await validate(given, call());
    expect([answer.statusCode, answer.body]).toEqual([200, plain.body]);
  });

  it('the answer does not depend on User-Agent and Accept-Language', async () => {
    const plain = await validate(given, json(both()));
    const odd = await validate(given, json(both(), { 'user-agent': 'x', 'accept-language': 'de' }));
    expect(odd.body).toBe(plain.body);
  });
});
