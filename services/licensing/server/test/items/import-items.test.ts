// `import items` and `export items`: items are found by the seller's own id, and follow the API's rules.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

const importFile = (file: string, ...options: string[]) =>
  command.run('import', 'items', file, '--workspace', String(workspaceId), ...options);

const header =
  'external_id,kind,state,name,version,tags,thumbnail,preview_image,screenshots,price_regular,price_extended,published_at';
const first =
  'theme-1,image,published,Journal,1.2.0,blog|minimal,https://m.example/t.png,https://m.example/p.png,https://m.example/1.png|https://m.example/2.png,19.99,99,2023-05-06';
const second = 'loop-2,audio,draft,Loops,,,,,,,,';

it('items are imported with all fields, and a second import of the file changes nothing', async () => {
  const file = await command.file('items.csv', `${header}\n${first}\n${second}\n`);
  expect(await importFile(file)).toMatchObject({ code: 0, out: expect.stringContaining('2 new') });
  expect((await importFile(file)).out).toContain('0 new, 0 updated, 2 unchanged');
  const { body } = await client.send('GET', '/items');
  expect(body.data.items).toMatchObject([
    { external_id: 'loop-2', kind: 'audio', state: 'draft', version: '1.0.0', currency: 'USD' },
    {
      external_id: 'theme-1',
      state: 'published',
      version: '1.2.0',
      tags: ['blog', 'minimal'],
      media: { screenshots: ['https://m.example/1.png', 'https://m.example/2.png'] },
      price: { regular: 19.99, extended: 99 },
      published_at: '2023-05-06T00:00:00Z',
    },
  ]);
});

it('the version of an imported item has the publication date of the item as its release date', async () => {
  await importFile(await command.file('old.csv', `${header}\n${first}\n${second}\n`));
  const { body } = await client.send('GET', '/items');
  const releases = await Promise.all(
    body.data.items.map(async ({ id }: { id: number }) => {
      const { data } = (await client.send('GET', `/items/${id}/versions`)).body;
      return data.versions.map((each: { created_at: string }) => each.created_at);
    }),
  );
  // The draft was never published, so its version has the time of the import.
  expect(releases).toEqual([[expect.stringMatching(/^20[2-9]/)], ['2023-05-06T00:00:00Z']]);
  expect(releases[0]).not.toEqual(releases[1]);
});

it('an import cannot name a beta as the version of an item, until the beta is stable', async () => {
  await importFile(await command.file('beta-a.csv', `${header}\n${first}\n`));
  const [{ id }] = (await client.send('GET', '/items')).body.data.items;
  const beta = { version: '1.3.0', channel: 'beta' };
  expect((await client.send('POST', `/items/${id}/versions`, beta)).status).toBe(200);
  const file = await command.file('beta-b.csv', `${header}\n${first.replace('1.2.0', '1.3.0')}\n`);
  for (const options of [['--update'], ['--update', '--dry-run']]) {
    const refused = await importFile(file, ...options);
    expect(refused.code).not.toBe(0);
    expect(`${refused.out}${refused.err}`).toContain('is a beta of this item');
  }
  expect((await client.send('GET', `/items/${id}`)).body.data.item.version).toBe('1.2.0');
  await client.send('POST', `/items/${id}/versions/1.3.0/promote`);
  expect(await importFile(file, '--update')).toMatchObject({ code: 0 });
});

it('a changed row is a conflict; --update writes the change, but never lowers a version', async () => {
  await importFile(await command.file('a.csv', `${header}\n${first}\n`));
  const renamed = await command.file('b.csv', `${header}\n${first.replace('Journal', 'Diary')}\n`);
  const conflict = await importFile(renamed);
  expect(conflict).toMatchObject({
    code: 1,
    out: expect.stringContaining('line 2: name differs from the stored value'),
  });
  expect((await importFile(renamed, '--update', '--dry-run')).out).toContain('1 updated');
  expect((await client.send('GET', '/items')).body.data.items[0].name).toBe('Journal');
  expect((await importFile(renamed, '--update')).out).toContain('1 updated');
  expect((await client.send('GET', '/items')).body.data.items[0].name).toBe('Diary');
  const older = await command.file('c.csv', `external_id,kind,name,version\ntheme-1,image,Diary,1.0.0\n`);
  expect((await importFile(older, '--update')).out).toContain('line 2: version cannot be changed');
});

it('--update can withdraw a published item without pictures, but cannot publish the item again', async () => {
  await given.item(workspaceId, { externalId: 'old' });
  const change = async (state: string) => {
    const file = await command.file(`${state}.csv`, `external_id,kind,state,name\nold,image,${state},Old\n`);
    return (await importFile(file, '--update')).out;
  };
  expect(await change('withdrawn')).toContain('1 updated');
  expect(await change('published')).toContain('line 2: thumbnail cannot be changed to this.');
  expect((await client.send('GET', '/items')).body.data.items[0].state).toBe('withdrawn');
});

it('invalid rows are reported, and the valid rows are imported', async () => {
  const file = await command.file(
    'wrong.csv',
    [
      'external_id,kind,state,name,thumbnail,version,price_regular',
      'ok,image,draft,Fine,,,',
      ',image,draft,No id,,,',
      'k,statue,draft,Bad kind,,,',
      'p,image,published,Not complete,,,5',
      'u,image,draft,Bad address,javascript:1,,',
      'v,image,draft,Bad version,,1.2,',
      'm,image,draft,Bad price,,,1.999',
      'n,image,draft,,,,',
    ].join('\n'),
  );
  const outcome = await importFile(file);
  expect(outcome).toMatchObject({ code: 1, out: expect.stringContaining('1 new') });
  expect(outcome.out).toContain('7 invalid');
  for (const expected of [
    'line 3: external_id',
    'line 4: kind',
    'line 5: thumbnail',
    'line 6: thumbnail',
    'line 7: version',
    'line 8: price_regular',
    'line 9: name',
  ])
    expect(outcome.out).toContain(expected);
});

it('an import of exported items changes nothing, as CSV and as NDJSON', async () => {
  await importFile(await command.file('out.csv', `${header}\n${first}\n${second}\n`));
  await client.send('POST', '/items', { kind: 'video', name: '=1+1', description: 'a\n"b"' });
  for (const ending of ['csv', 'ndjson']) {
    const path = command.path(`exported.${ending}`);
    expect((await command.run('export', 'items', path, '--workspace', String(workspaceId))).code).toBe(0);
    expect((await importFile(path)).out).toContain('3 unchanged, 0 in conflict, 0 invalid');
  }
});

it("an import does not find another workspace's item by its id", async () => {
  const foreign = await given.item(await given.workspace());
  const file = await command.file('foreign.csv', `id,kind,name\n${foreign},image,Mine\n`);
  expect((await importFile(file, '--update')).out).toContain('line 2: id names an item that does not exist');
});

it('the set-balance command sets the balance, and leaves an audit line', async () => {
  const set = (balance: string) =>
    command.run('set-balance', '--workspace', String(workspaceId), '--balance', balance);
  expect(await set('12.50')).toMatchObject({ code: 0, out: 'The balance is 12.50 USD.\n' });
  expect(await set('12.505')).toMatchObject({ code: 2 });
  const { rows } = await given.db.query<{ balance: bigint; lines: bigint }>(
    `select balance_minor as balance, (select count(*) from audit_log
       where workspace_id = $1 and action = 'balance_set') as lines
     from accounts where workspace_id = $1`,
    [workspaceId],
  );
  expect(rows[0]).toEqual({ balance: 1250n, lines: 1n });
});
