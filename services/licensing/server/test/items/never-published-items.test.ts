// A code is valid only if its item was published at least once. Otherwise the code is answered like an
// unknown code.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { allScopes } from '@counterfoil/licensing-server/authentication/api-key';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

const masterKey = randomBytes(32).toString('base64');
const pictures = {
  thumbnailUrl: 'https://media.example/t.png',
  previewImageUrl: 'https://media.example/p.png',
};
let given: Given;
let command: TestCommand;
let url: string;
let workspaceId: bigint;
let key: string;
let clients: TestClient[];

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(given.app.server.address() as { port: number }).port}`;
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId);
  clients = await bothClients(given, workspaceId);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

/** Creates a draft with a sale. The current service refuses such a sale, but earlier versions recorded it. */
async function givenSoldDraft(wanted: Parameters<Given['item']>[1] = {}, purchasedAt?: Date) {
  const itemId = await given.item(workspaceId, wanted);
  const { id, code } = await given.purchase(workspaceId, itemId, purchasedAt && { purchasedAt });
  await given.db.query(
    `update items set state = 'draft', published_at = null where workspace_id = $1 and id = $2`,
    [workspaceId, itemId],
  );
  return { itemId, id, code };
}

const readItem = async (itemId: bigint) =>
  (
    await given.db.query<{ state: string; published_at: Date | null }>(
      'select state, published_at from items where workspace_id = $1 and id = $2',
      [workspaceId, itemId],
    )
  ).rows[0];

const clean = (text: string) => text.replace(/req_[\w-]{36}/g, 'REQUEST');
const routed = async (code: string) => {
  const answer = await validate(given, json({ api_key: key, purchase_code: code }));
  return { status: answer.statusCode, text: clean(answer.body) };
};
const quick = async (code: string) => {
  const answer = await fetch(`${url}/api/purchases/validation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ purchase_code: code }),
  });
  return { status: answer.status, text: clean(await answer.text()) };
};
const unknown = '00000000-0000-4000-8000-000000000000';

describe('a code of a never-published item', () => {
  it('the router and the fast path answer the code of a never-published item as unknown', async () => {
    const { code } = await givenSoldDraft(pictures);
    const expected = await routed(unknown);
    expect(expected.status).toBe(404);
    expect(await routed(code)).toEqual(expected);
    // The key and its seller are cached now, so the fast path answers the next requests.
    expect(await quick(unknown)).toEqual(expected);
    expect(await quick(code)).toEqual(expected);
  });

  it('the code is valid as soon as the item is published; the answer has pictures and a date', async () => {
    const { code, itemId } = await givenSoldDraft(pictures);
    expect((await routed(code)).status).toBe(404);
    expect((await clients[0]?.send('POST', `/items/${itemId}/publish`))?.status).toBe(200);
    for (const answer of [await routed(code), await quick(code)]) {
      const { item } = JSON.parse(answer.text).data.purchase;
      expect(item.media).toEqual({
        thumbnail: pictures.thumbnailUrl,
        preview_image: pictures.previewImageUrl,
      });
      expect(item.published_at).toBe('2026-05-04T10:00:00Z');
    }
  });

  it('the code cannot be activated, but a check in the panel finds its purchase', async () => {
    const { code, id } = await givenSoldDraft(pictures);
    const activated = await given.app.inject({
      method: 'POST',
      url: '/api/v1/activations',
      headers: { 'x-api-key': await given.apiKey(workspaceId, { scopes: allScopes }) },
      payload: { purchase_code: code, domain: 'shop.example' },
    });
    expect(activated.json()).toMatchObject({ code: 'purchase_not_found' });
    const panel = clients.find((client) => client.name === 'panel');
    const checked = await panel?.send('POST', '/purchases/check', { purchase_code: code });
    expect(checked?.body.data).toMatchObject({ http_status: 404, purchase_id: Number(id) });
  });
});

describe('a sale', () => {
  it(
    'a sale is refused, by key and by session, for a never-published item, ' +
      'and is recorded for a withdrawn item',
    async () => {
      const draft = await given.item(workspaceId, { state: 'draft' });
      const withdrawn = await given.item(workspaceId, { state: 'withdrawn' });
      for (const client of clients) {
        const refused = await client.send('POST', '/purchases', { item_id: Number(draft) });
        expect(refused).toMatchObject({ status: 409, body: { code: 'item_not_published' } });
        const sold = await client.send('POST', '/purchases', { item_id: Number(withdrawn) });
        expect(sold.status).toBe(200);
      }
      const { rows } = await given.db.query('select 1 from purchases where item_id = $1', [draft]);
      expect(rows).toEqual([]);
    },
  );

  it('a repeated sale is found by its Idempotency-Key, even if its item is now a draft', async () => {
    const itemId = await given.item(workspaceId);
    const send = () =>
      clients[0]?.send('POST', '/purchases', { item_id: Number(itemId) }, { 'idempotency-key': 'a' });
    const first = await send();
    await given.db.query(
      `update items set state = 'draft', published_at = null where workspace_id = $1 and id = $2`,
      [workspaceId, itemId],
    );
    expect((await send())?.body.data.purchase.id).toBe(first?.body.data.purchase.id);
  });

  it('the command `purchases issue` refuses a never-published item too, and prints the reason', async () => {
    const draft = await given.item(workspaceId, { state: 'draft' });
    const options = ['--workspace', String(workspaceId), '--item', String(draft)];
    const refused = await command.run('purchases', 'issue', ...options);
    expect(refused.code).toBe(2);
    expect(refused.err + refused.out).toContain('never published');
  });
});

describe('an import of purchases', () => {
  const importFile = async (text: string, ...options: string[]) => {
    const file = await command.file('sales.csv', text);
    const of = ['--workspace', String(workspaceId)];
    return command.run('import', 'purchases', file, ...of, ...options);
  };

  it.each([[[]], [['--dry-run']]])(
    'the import reports a row whose item was never published (options %j)',
    async (options) => {
      await given.item(workspaceId, { externalId: 'draft-1', state: 'draft' });
      await given.item(workspaceId, { externalId: 'gone-1', state: 'withdrawn' });
      const text = 'code,item_external_id,price,date\nA-1,draft-1,1,2024-01-01\nA-2,gone-1,1,2024-01-01\n';
      const run = await importFile(text, ...options);
      expect(run.out).toContain('1 new');
      expect(run.out).toContain('1 invalid');
      expect(run.out).toContain('line 2: item_external_id names an item that was never published');
    },
  );

  it('the import leaves a sale of a draft unchanged if an older version recorded the sale', async () => {
    const { code, itemId } = await givenSoldDraft();
    const text = `code,item_id,price,date\n${code},${itemId},19.99,2026-05-04T10:00:00Z\n`;
    expect((await importFile(text)).out).toContain('1 unchanged');
  });

  it('an import of purchases refuses to move a purchase to a never-published item', async () => {
    const itemId = await given.item(workspaceId);
    const draft = await given.item(workspaceId, { state: 'draft' });
    const { code } = await given.purchase(workspaceId, itemId);
    const text = `code,item_id,price,date\n${code},${draft},19.99,2026-05-04T10:00:00Z\n`;
    const run = await importFile(text, '--update');
    expect(run.out).toContain('line 2: item_id names an item that was never published');
    expect((await routed(code)).status).toBe(200);
  });
});

describe('an import of items', () => {
  const importItems = async (text: string) => {
    const file = await command.file('items.csv', text);
    return command.run('import', 'items', file, '--workspace', String(workspaceId));
  };

  it('an import refuses a withdrawn item without pictures, because a validation returns them', async () => {
    const run = await importItems('external_id,kind,state,name\nold-1,image,withdrawn,Old\n');
    expect(run.out).toContain('line 2: thumbnail is needed');
    expect(run.out).toContain('1 invalid');
  });

  it('the import refuses a draft with a publication date', async () => {
    const text = 'external_id,kind,name,published_at\nold-1,image,Old,2020-01-01\n';
    expect((await importItems(text)).out).toContain(
      'line 2: published_at needs the state published or withdrawn.',
    );
  });

  it('an import accepts a withdrawn item with a publication date, and its codes are then valid', async () => {
    const header = 'external_id,kind,state,name,thumbnail,preview_image,published_at';
    const row = `old-1,image,withdrawn,Old,${pictures.thumbnailUrl},${pictures.previewImageUrl},2020-01-01`;
    expect((await importItems(`${header}\n${row}\n`)).out).toContain('1 new');
    const sales = await command.file(
      'sales.csv',
      'code,item_external_id,price,date\nOld-Code,old-1,1,2024-01-01\n',
    );
    await command.run('import', 'purchases', sales, '--workspace', String(workspaceId));
    const { item } = JSON.parse((await routed('old-code')).text).data.purchase;
    expect(item.published_at).toBe('2020-01-01T00:00:00Z');
  });
});

it('a withdrawn item must keep its pictures, but pictures can be removed from a draft', async () => {
  const withdrawn = await given.item(workspaceId, { state: 'withdrawn', ...pictures });
  const draft = await given.item(workspaceId, { state: 'draft', ...pictures });
  for (const client of clients) {
    const body = { media: { thumbnail: '' } };
    const refused = await client.send('PATCH', `/items/${withdrawn}`, body);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'item_incomplete', errors: { 'media.thumbnail': [expect.any(String)] } },
    });
    expect((await client.send('PATCH', `/items/${draft}`, body)).status).toBe(200);
  }
});

it('an item shows how many of its codes become valid with its publication', async () => {
  const { itemId } = await givenSoldDraft(pictures);
  await given.db.query(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, purchased_at)
     values ($1, decode(repeat('ab', 32), 'hex'), '', '', $2, 'Regular', 0, 'USD', 'refunded', now())`,
    [workspaceId, itemId],
  );
  const other = await given.item(workspaceId);
  await given.purchase(workspaceId, other);
  for (const client of clients) {
    const { items } = (await client.send('GET', '/items')).body.data;
    expect(items.map((item: { waiting_codes: number }) => item.waiting_codes)).toEqual([0, 1]);
    const { item } = (await client.send('GET', `/items/${itemId}`)).body.data;
    expect(item.waiting_codes).toBe(1);
  }
  const published = await clients[0]?.send('POST', `/items/${itemId}/publish`);
  expect(published?.body.data.item.waiting_codes).toBe(0);
});

describe('the migration of items that were sold as drafts', () => {
  const migrate = async () => {
    const file = '../../migrations/0066_date_items_that_were_sold_as_drafts.sql';
    await given.db.query(await readFile(new URL(file, import.meta.url), 'utf8'));
  };
  const early = new Date('2023-02-03T04:05:06Z');

  it.each([
    ['image', pictures],
    ['video', { ...pictures, previewVideoUrl: 'https://media.example/v.mp4' }],
    ['audio', { thumbnailUrl: pictures.thumbnailUrl, previewAudioUrl: 'https://a.example/a.mp3' }],
  ] as const)(
    'the migration withdraws a complete %s item and sets its publication date to its first sale',
    async (kind, media) => {
      const { itemId, code } = await givenSoldDraft({ kind, ...media }, early);
      await migrate();
      expect(await readItem(itemId)).toEqual({ state: 'withdrawn', published_at: early });
      const { item } = JSON.parse((await routed(code)).text).data.purchase;
      expect(item.published_at).toBe('2023-02-03T04:05:06Z');
      const list = await given.app.inject({ url: '/api/items/all', headers: { 'x-api-key': key } });
      expect(list.json().code).toBe('no_items');
    },
  );

  it.each([
    ['an image without a preview', { thumbnailUrl: pictures.thumbnailUrl }],
    ['a video item without a preview video', { kind: 'video', ...pictures }],
    ['an audio item without a preview sound', { kind: 'audio', ...pictures }],
  ] as const)('the migration keeps %s as a draft', async (_case, wanted) => {
    const { itemId, code } = await givenSoldDraft(wanted, early);
    await migrate();
    expect(await readItem(itemId)).toEqual({ state: 'draft', published_at: null });
    expect((await routed(code)).status).toBe(404);
  });

  it('the migration does not change drafts without sales, or published items', async () => {
    const draft = await given.item(workspaceId, { state: 'draft', ...pictures });
    const published = await given.item(workspaceId, pictures);
    await given.purchase(workspaceId, published, { purchasedAt: early });
    const before = await readItem(published);
    await migrate();
    expect(await readItem(draft)).toEqual({ state: 'draft', published_at: null });
    expect(await readItem(published)).toEqual(before);
  });
});
