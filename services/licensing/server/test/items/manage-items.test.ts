// Items managed by key and by panel session: drafts, edits, publication, versions and lists. No operation
// reaches another workspace.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditActions,
  bothClients,
  keyClient,
  type TestClient,
  withoutRequestId,
} from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let clients: TestClient[];

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  clients = await bothClients(given, workspaceId);
});

afterAll(() => given.close());

const media = {
  image: { thumbnail: 'https://m.example/t.png', preview_image: 'https://m.example/p.png' },
  video: {
    thumbnail: 'https://m.example/t.png',
    preview_image: 'https://m.example/p.png',
    preview_video: 'https://m.example/p.mp4',
  },
  audio: { thumbnail: 'https://m.example/t.png', preview_audio: 'https://m.example/p.mp3' },
};

const whole = (kind: keyof typeof media = 'image', more: object = {}) => ({
  kind,
  name: 'Paper theme',
  media: media[kind],
  price: { regular: 19.99, extended: 99 },
  ...more,
});

async function create(client: TestClient, body: object = whole()): Promise<number> {
  const answer = await client.send('POST', '/items', body);
  expect(answer.body).toMatchObject({ status: 'success' });
  return answer.body.data.item.id;
}

describe.each(['key', 'panel'] as const)('management of items (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;

  it('a draft is created with the given fields, and read again', async () => {
    const created = await client().send('POST', '/items', {
      ...whole('video'),
      description: 'Two\nlines',
      category: 'C',
      sub_category: 'S',
      options: ['o1'],
      tags: ['t1', 't2'],
      demo_link: 'http://demo.example/x',
      version: '2.0.1',
      external_id: `ext-${name}`,
    });
    expect([created.status, created.body.data.item]).toEqual([
      200,
      {
        id: expect.any(Number),
        external_id: `ext-${name}`,
        kind: 'video',
        state: 'draft',
        name: 'Paper theme',
        description: 'Two\nlines',
        category: 'C',
        sub_category: 'S',
        options: ['o1'],
        version: '2.0.1',
        demo_link: 'http://demo.example/x',
        tags: ['t1', 't2'],
        media: media.video,
        price: { regular: 19.99, extended: 99 },
        currency: 'USD',
        published_at: '',
        created_at: '2026-05-04T10:00:00Z',
        updated_at: '2026-05-04T10:00:00Z',
        waiting_codes: 0,
      },
    ]);
    const read = await client().send('GET', `/items/${created.body.data.item.id}`);
    expect(read.body.data).toEqual(created.body.data);
  });

  it(
    'an item that is published again after a withdrawal ' +
      'keeps its first publication date, and a repeated request changes nothing',
    async () => {
      const id = await create(client());
      const before = given.clock.now;
      expect((await client().send('POST', `/items/${id}/withdraw`)).body.code).toBe('item_state_conflict');
      const published = await client().send('POST', `/items/${id}/publish`);
      expect(published.body.data.item).toMatchObject({
        state: 'published',
        published_at: '2026-05-04T10:00:00Z',
      });
      given.clock.now = new Date(before.getTime() + 3_600_000);
      expect((await client().send('POST', `/items/${id}/publish`)).body.data).toEqual(published.body.data);
      expect((await client().send('POST', `/items/${id}/withdraw`)).body.data.item.state).toBe('withdrawn');
      expect((await client().send('POST', `/items/${id}/withdraw`)).status).toBe(200);
      const again = await client().send('POST', `/items/${id}/publish`);
      given.clock.now = before;
      expect(again.body.data.item).toMatchObject({
        state: 'published',
        published_at: '2026-05-04T10:00:00Z',
        updated_at: '2026-05-04T11:00:00Z',
      });
      const { rows } = await given.db.query<{ action: string }>(
        `select action from audit_log where subject_kind = 'item' and subject_id = $1 order by id`,
        [String(id)],
      );
      expect(rows.map((row) => row.action)).toEqual([
        'item_created',
        'item_published',
        'item_withdrawn',
        'item_published',
      ]);
    },
  );

  it('an edit changes only the given fields; a repeated edit changes nothing', async () => {
    const id = await create(client(), whole('image', { tags: ['keep'] }));
    const edit = {
      name: 'New name',
      price: { regular: 5 },
      media: { thumbnail: 'https://n.example/' },
    };
    const edited = await client().send('PATCH', `/items/${id}`, edit);
    expect(edited.body.data.item).toMatchObject({
      name: 'New name',
      tags: ['keep'],
      price: { regular: 5, extended: 99 },
      media: { thumbnail: 'https://n.example/', preview_image: 'https://m.example/p.png' },
    });
    const count = (await auditActions(given, workspaceId)).length;
    expect((await client().send('PATCH', `/items/${id}`, edit)).status).toBe(200);
    expect((await auditActions(given, workspaceId)).length).toBe(count);
  });

  it('the list is paged, newest first, and can be filtered by state, kind, name and tag', async () => {
    const ids = [];
    for (const kind of ['image', 'audio', 'video'] as const)
      ids.push(await create(client(), whole(kind, { name: `Zebra ${name} ${kind}`, tags: [`tag-${name}`] })));
    const list = async (query: string) =>
      (await client().send('GET', `/items?${query}`)).body.data as {
        items: { id: number }[];
        next_cursor?: string;
      };
    const first = await list(`search=zebra%20${name}&limit=2`);
    expect(first.items.map((item) => item.id)).toEqual([ids[2], ids[1]]);
    const second = await list(`search=ZEBRA%20${name}&limit=2&cursor=${first.next_cursor}`);
    expect([second.items.map((item) => item.id), second.next_cursor]).toEqual([[ids[0]], undefined]);
    expect((await list(`search=TAG-${name}&kind=audio`)).items.map((item) => item.id)).toEqual([ids[1]]);
    expect((await list(`search=tag-${name}&state=published`)).items).toEqual([]);
    expect((await list('search=%25')).items).toEqual([]);
  });

  it('a new version must be higher than the current version, compared number by number', async () => {
    const id = await create(client());
    const add = (version: string) => client().send('POST', `/items/${id}/versions`, { version, notes: 'n' });
    expect((await add('1.9.0')).body.data.item.version).toBe('1.9.0');
    expect((await add('1.10.0')).body.data.item.version).toBe('1.10.0');
    for (const old of ['1.10.0', '1.9.9', '0.99.99'])
      expect(await add(old)).toMatchObject({ status: 409, body: { code: 'version_not_newer' } });
    for (const bad of ['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-rc', '1.2.9999999999'])
      expect(await add(bad)).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    const versions = await client().send('GET', `/items/${id}/versions`);
    expect(versions.body.data.versions.map((each: { version: string }) => each.version)).toEqual([
      '1.10.0',
      '1.9.0',
      '1.0.0',
    ]);
  });

  it.each([
    ['an unknown kind', { kind: 'sculpture' }],
    ['no name', { name: '' }],
    ['a name of blanks', { name: ' \u00a0 ' }],
    ['a NUL', { name: 'a\u0000' }],
    ['a lone surrogate', { description: '\ud800' }],
    ['a control character in the description', { description: 'a\u0007' }],
    ['a javascript URL', { demo_link: 'javascript:alert(1)' }],
    ['an ftp URL', { media: { thumbnail: 'ftp://x.example/a' } }],
    ['a data URL', { media: { screenshots: ['data:image/png;base64,AA'] } }],
    ['a URL with a password', { demo_link: 'https://a:b@x.example/' }],
    ['a URL of 3,000 characters', { demo_link: `https://x.example/${'a'.repeat(3000)}` }],
    ['a space in a URL', { demo_link: 'https://x.example/a b' }],
    ['a price with three decimals', { price: { regular: 1.999 } }],
    ['a negative price', { price: { extended: -1 } }],
    ['a price with a comma', { price: { regular: '5,00' } }],
    ['an unknown currency', { currency: 'XXX' }],
    ['a hundred tags', { tags: Array(100).fill('t') }],
    ['a tag that is a number', { tags: [5] }],
    ['null instead of a text', { category: null }],
    ['an array as the body', [whole()]],
  ])('a new item with %s is refused with 400, and nothing is created', async (_title, body) => {
    const count = async () =>
      (await given.db.query<{ n: bigint }>('select count(*) as n from items')).rows[0]?.n;
    const before = await count();
    const answer = await client().send(
      'POST',
      '/items',
      Array.isArray(body) ? body : { ...whole(), ...body },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.status).toBe('error');
    expect(await count()).toBe(before);
  });
});

describe('publication of an item', () => {
  it.each([
    ['image', ['media.preview_image']],
    ['video', ['media.preview_image', 'media.preview_video']],
    ['audio', ['media.preview_audio']],
  ] as const)(
    'an item of the kind %s cannot be published until all its media are set',
    async (kind, previews) => {
      const [client] = clients as [TestClient];
      const id = await create(client, { kind, name: 'Bare' });
      const refused = await client.send('POST', `/items/${id}/publish`);
      expect(refused).toMatchObject({ status: 409, body: { code: 'item_incomplete' } });
      expect(Object.keys(refused.body.errors).sort()).toEqual(['media.thumbnail', ...previews].sort());
      const completed = { media: media[kind], price: { regular: 1, extended: 2 } };
      await client.send('PATCH', `/items/${id}`, completed);
      expect((await client.send('POST', `/items/${id}/publish`)).status).toBe(200);
      const emptied = await client.send('PATCH', `/items/${id}`, { media: { thumbnail: '' } });
      expect(emptied).toMatchObject({ status: 409, body: { code: 'item_incomplete' } });
    },
  );
});

it('the currency of an item changes only together with both prices', async () => {
  const [client] = clients as [TestClient];
  const id = await create(client);
  expect((await client.send('PATCH', `/items/${id}`, { currency: 'JPY' })).status).toBe(400);
  const both = { currency: 'JPY', price: { regular: 500, extended: 5000 } };
  expect((await client.send('PATCH', `/items/${id}`, both)).body.data.item).toMatchObject(both);
  const yen = await client.send('PATCH', `/items/${id}`, { price: { regular: 1.5 } });
  expect(yen.body.errors).toEqual({ 'price.regular': [expect.stringContaining('JPY')] });
});

it('an external id is unique in a workspace, and can be removed', async () => {
  const [client] = clients as [TestClient];
  const id = await create(client, whole('image', { external_id: 'one' }));
  const twice = await client.send('POST', '/items', whole('image', { external_id: 'one' }));
  expect(twice).toMatchObject({ status: 409, body: { code: 'external_id_taken' } });
  await client.send('PATCH', `/items/${id}`, { external_id: '' });
  expect((await client.send('POST', '/items', whole('image', { external_id: 'one' }))).status).toBe(200);
});

it("every route answers another workspace's item exactly like an unknown item", async () => {
  const other = await given.workspace();
  const foreign = await given.item(other);
  const routes = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['POST', '/publish'],
    ['POST', '/withdraw'],
    ['POST', '/versions', { version: '9.0.0' }],
    ['GET', '/versions'],
    ['PUT', '/versions/1.0.0/file', Buffer.from('x')],
  ] as const;
  for (const client of clients) {
    for (const [method, path, body] of routes) {
      const type = path.endsWith('/file') ? { 'content-type': 'application/zip' } : {};
      const [theirs, nobodys] = await Promise.all(
        [foreign, 999_999_999n].map((id) =>
          client.send(method, `/items/${id}${path}`, body, type as Record<string, string>),
        ),
      );
      expect(theirs?.status).toBe(404);
      expect(theirs?.body.code).toBe('item_not_found');
      expect(withoutRequestId(theirs as never)).toBe(withoutRequestId(nobodys as never));
    }
  }
  const { rows } = await given.db.query<{ name: string; state: string }>(
    'select name, state from items where id = $1',
    [foreign],
  );
  expect(rows[0]).toEqual({ name: 'Test item', state: 'published' });
});

it('the panel answers the id of another workspace exactly like an unknown id', async () => {
  const [, panel] = clients as [TestClient, TestClient];
  const other = await given.workspace();
  const at = async (id: bigint | string) => {
    const path = `/../${id}/items`;
    return panel.send('GET', path);
  };
  const [foreign, unknown, odd] = await Promise.all([at(other), at(999_999n), at('0x1')]);
  expect(foreign).toMatchObject({ status: 404, body: { code: 'workspace_not_found' } });
  expect(withoutRequestId(foreign)).toBe(withoutRequestId(unknown));
  expect(withoutRequestId(foreign)).toBe(withoutRequestId(odd));
});

it('a request without a key, or with a key without items:write, is refused', async () => {
  const narrow = keyClient(given, await given.apiKey(workspaceId));
  expect(await narrow.send('GET', '/items')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  expect(await keyClient(given, '').send('POST', '/items', whole())).toMatchObject({
    status: 401,
    body: { code: 'api_key_missing' },
  });
});
