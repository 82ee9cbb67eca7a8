// Exported purchases and items can be imported again unchanged.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let client: TestClient;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  client = (await bothClients(given, workspaceId))[0] as TestClient;
});

const run = (verb: 'import' | 'export', kind: string, file: string, ...options: string[]) =>
  command.run(verb, kind, file, '--workspace', String(workspaceId), ...options);

describe.each(['csv', 'ndjson'])('the import of a file that was exported as %s', (ending) => {
  it('the import changes no purchase with extended support or special characters', async () => {
    const itemId = await given.item(workspaceId);
    const odd = ["'-x", "'=1", "''", '-x', '=1', '@a', 'a,"b"', 'a|b', 'a;=1', '\uff1d1'];
    const codes = [...odd, undefined];
    const ids = [];
    for (const purchase_code of codes) {
      const issued = await client.send('POST', '/purchases', {
        item_id: Number(itemId),
        purchase_code,
        buyer: { name: " 'Bo ", email: 'bo@x.example' },
        supported_until: '2027-01-01T00:00:00.750Z',
      });
      ids.push(issued.body.data.purchase.id);
    }
    const extended = await client.send('POST', `/purchases/${ids[0]}/support`, {
      supported_until: '2028-01-01T00:00:00.250Z',
    });
    expect(extended.status).toBe(200);
    const file = command.path(`purchases.${ending}`);
    await run('export', 'purchases', file, '--with-codes');
    const { out } = await run('import', 'purchases', file);
    expect(out).toContain(`0 new, 0 updated, ${codes.length} unchanged, 0 in conflict, 0 invalid`);
  });

  it('the import does not change items with special characters', async () => {
    const media = {
      thumbnail: 'https://m.example/t.png',
      preview_image: 'https://m.example/p.png',
    };
    const made = await client.send('POST', '/items', {
      kind: 'image',
      name: " '=Theme ",
      description: 'one\r\n\r\n"two"\n',
      options: ["'-a", ' b ', 'a|b', '|', 'c\\', '\\|d', 'e\\\\'],
      tags: ['one|two|'],
      media: { ...media, screenshots: ['https://m.example/1.png'] },
      price: { regular: 19.99, extended: 99 },
      category: 'Web',
    });
    const { id } = made.body.data.item;
    expect((await client.send('POST', `/items/${id}/publish`)).status).toBe(200);
    await given.item(workspaceId, { externalId: "'x", state: 'withdrawn' });
    const file = command.path(`items.${ending}`);
    await run('export', 'items', file);
    const { out } = await run('import', 'items', file);
    expect(out).toContain('0 new, 0 updated, 2 unchanged, 0 in conflict, 0 invalid');
  });
});

it('times are stored in whole seconds, so a sale whose times have fractions can be repeated', async () => {
  const itemId = await given.item(workspaceId);
  const sale = {
    item_id: Number(itemId),
    purchase_code: 'FRACTION-1',
    date: '2024-01-01T10:00:00.900Z',
    supported_until: '2027-01-01T00:00:00.100Z',
  };
  for (let i = 0; i < 2; i++) expect((await client.send('POST', '/purchases', sale)).status).toBe(200);
  const { rows } = await given.db.query<{ is_whole: boolean }>(
    `select p.purchased_at = date_trunc('second', p.purchased_at)
       and p.supported_until = date_trunc('second', p.supported_until)
       and i.published_at = date_trunc('second', i.published_at) as is_whole
     from purchases p join items i on i.id = p.item_id where p.workspace_id = $1`,
    [workspaceId],
  );
  expect(rows).toEqual([{ is_whole: true }]);
});
