// Pools of codes by key and by session: creation, generation, import, withdrawal, export, and the limits.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxFreeCodes, maxWithdrawnCodes } from '../../src/pools/pool.ts';
import { refillPool } from '../../src/pools/refill-pool.ts';
import { bothClients, keyClient, type TestClient, withoutRequestId } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let itemId: bigint;
let clients: TestClient[];
let counter = 0;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { priceRegularMinor: 1999n, priceExtendedMinor: 9900n });
  clients = await bothClients(given, workspaceId);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

async function createPool(client: TestClient, body: object = {}) {
  const answer = await client.send('POST', '/pools', {
    item_id: Number(itemId),
    name: `Pool ${++counter}`,
    ...body,
  });
  expect(answer.body).toMatchObject({ status: 'success' });
  return answer.body.data.pool as { id: number; name: string };
}

const auditOf = async (id: number) =>
  (
    await given.db.query<{ action: string; details: Record<string, unknown> }>(
      `select action, details from audit_log where subject_kind = 'pool' and subject_id = $1 order by id`,
      [String(id)],
    )
  ).rows;

/** The counts of a pool, and the same counts of its stored codes. */
async function readCounts(client: TestClient, id: number) {
  const { free, assigned, withdrawn } = (await client.send('GET', `/pools/${id}`)).body.data.pool;
  const { rows } = await given.db.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from pool_codes where pool_id = $1 group by state',
    [id],
  );
  const stored = { free: 0, assigned: 0, withdrawn: 0 };
  for (const { state, n } of rows) Object.assign(stored, { [state]: n });
  expect({ free, assigned, withdrawn }).toEqual(stored);
  return stored;
}

describe.each(['key', 'panel'] as const)('pools (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;

  it('a pool has the price of the item by default, and no codes', async () => {
    const answer = await client().send('POST', '/pools', { item_id: String(itemId), name: ` Shop ${name} ` });
    expect(answer.body.data.pool).toEqual({
      id: expect.any(Number),
      name: `Shop ${name}`,
      item_id: Number(itemId),
      license_type: 'Regular',
      price: 19.99,
      currency: 'USD',
      low_stock_below: 0,
      is_low: false,
      free: 0,
      assigned: 0,
      withdrawn: 0,
      created_at: '2026-05-04T10:00:00Z',
      updated_at: '2026-05-04T10:00:00Z',
    });
    const { id } = answer.body.data.pool;
    expect((await client().send('GET', `/pools/${id}`)).body.data).toEqual(answer.body.data);
    expect(await auditOf(id)).toMatchObject([{ action: 'pool_created', details: { name: `Shop ${name}` } }]);
  });

  it('a withdrawal ends all free codes; no code of the pool can be added again', async () => {
    const { id } = await createPool(client());
    const codes = [`${name}-leaked-code-1`, `${name}-leaked-code-2`, `${name}-leaked-code-3`];
    await client().send('POST', `/pools/${id}/codes`, { codes });
    const drawn = await client().send('POST', `/pools/${id}/draw`, {});
    const answer = await client().send('POST', `/pools/${id}/withdraw`);
    expect(answer.body.data).toMatchObject({ withdrawn: 2, pool: { free: 0, assigned: 1, withdrawn: 2 } });
    expect((await client().send('POST', `/pools/${id}/withdraw`)).body.data.withdrawn).toBe(0);
    const empty = await client().send('POST', `/pools/${id}/draw`, {});
    expect(empty).toMatchObject({ status: 409, body: { code: 'pool_empty' } });
    const again = await client().send('POST', `/pools/${id}/codes`, { codes });
    expect(again.body.data.refused).toHaveLength(3);
    const { id: purchase } = drawn.body.data.purchase;
    expect((await client().send('GET', `/purchases/${purchase}`)).body.data.purchase.state).toBe('active');
    expect(await readCounts(client(), id)).toEqual({ free: 0, assigned: 1, withdrawn: 2 });
    expect((await auditOf(id)).map((row) => row.action)).toEqual([
      'pool_created',
      'pool_codes_imported',
      'pool_withdrawn',
    ]);
  });
});

describe('the rules of pools', () => {
  const name = 'rules';
  const client = () => clients[0] as TestClient;

  it('a pool can define the terms of its purchases', async () => {
    const terms = { license_type: 'Extended', price: '0.07', currency: 'EUR', support_months: 0 };
    expect(await createPool(client(), { ...terms, low_stock_below: 5 })).toMatchObject({
      ...terms,
      price: 0.07,
      low_stock_below: 5,
    });
  });

  it.each([
    [{ price: 0.001 }, 'price'],
    [{ price: -1 }, 'price'],
    [{ currency: 'XXY', price: 1 }, 'currency'],
    [{ currency: 'EUR' }, 'price'],
    [{ support_months: 121 }, 'support_months'],
    [{ low_stock_below: maxFreeCodes + 1 }, 'low_stock_below'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ license_type: 'Free' }, 'license_type'],
    [{ codes: 5 }, 'codes'],
  ])('a pool with the terms %j is refused', async (terms, field) => {
    const body = { item_id: Number(itemId), name: 'Refused', ...terms };
    const answer = await client().send('POST', '/pools', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('two pools of a workspace cannot have the same name', async () => {
    const { name: taken } = await createPool(client());
    const other = await createPool(client());
    const again = await client().send('POST', '/pools', { item_id: Number(itemId), name: taken });
    expect(again).toMatchObject({ status: 409, body: { code: 'pool_name_taken' } });
    const renamed = await client().send('PATCH', `/pools/${other.id}`, { name: taken });
    expect(renamed).toMatchObject({ status: 409, body: { code: 'pool_name_taken' } });
    const changed = await client().send('PATCH', `/pools/${other.id}`, { low_stock_below: 7 });
    expect(changed.body.data.pool).toMatchObject({ name: other.name, low_stock_below: 7 });
  });

  it('generation fills the pool to the wanted number, and a repeated request adds nothing', async () => {
    const { id } = await createPool(client());
    const refill = (free: number) => client().send('POST', `/pools/${id}/refill`, { free });
    expect((await refill(3)).body.data).toMatchObject({ generated: 3, missing: 0, pool: { free: 3 } });
    expect((await refill(3)).body.data).toMatchObject({ generated: 0, missing: 0, pool: { free: 3 } });
    expect((await refill(5)).body.data).toMatchObject({ generated: 2, pool: { free: 5 } });
    for (const free of [0, maxFreeCodes + 1, 1.5]) expect((await refill(free)).status).toBe(400);
    expect(await readCounts(client(), id)).toEqual({ free: 5, assigned: 0, withdrawn: 0 });
    expect((await auditOf(id)).slice(1).map((row) => row.details)).toEqual([{ count: 3 }, { count: 2 }]);
  });

  it('an import adds new codes, and names each refused code with the reason', async () => {
    const { id, name: poolName } = await createPool(client());
    const { code: sold } = await given.purchase(workspaceId, itemId);
    const own = [`${name}-own-code-1`, ` ${name.toUpperCase()}-own-code-2 `];
    const codes = [...own, `${name}-OWN-code-1`, sold.toUpperCase(), '', 'x'.repeat(129), 'a\u0007b'];
    const answer = await client().send('POST', `/pools/${id}/codes`, { codes });
    expect(answer.body.data).toMatchObject({ added: 2, pool: { free: 2 } });
    const hint = (code: string) => `…${code.slice(-4)}`;
    expect(answer.body.data.refused).toEqual([
      { position: 3, code_hint: '…de-1', reason: 'repeated', pool_name: '' },
      { position: 4, code_hint: hint(sold.toUpperCase()), reason: 'of_purchase', pool_name: '' },
      ...[5, 6, 7].map((position) => ({ position, code_hint: '', reason: 'malformed', pool_name: '' })),
    ]);
    const again = await client().send('POST', `/pools/${id}/codes`, { codes: own });
    expect(again.body.data).toMatchObject({ added: 0, pool: { free: 2 } });
    expect(again.body.data.refused).toMatchObject([
      { position: 1, reason: 'in_pool', pool_name: poolName },
      { position: 2, reason: 'in_pool', pool_name: poolName },
    ]);
    for (const bad of [[], [1], Array.from({ length: 501 }, String), 'code'])
      expect((await client().send('POST', `/pools/${id}/codes`, { codes: bad })).status).toBe(400);
    expect(await readCounts(client(), id)).toEqual({ free: 2, assigned: 0, withdrawn: 0 });
  });

  it('a code that waits in a pool cannot be sold in another way', async () => {
    const { id } = await createPool(client());
    const code = `${name}-waiting-code`;
    await client().send('POST', `/pools/${id}/codes`, { codes: [code] });
    const sale = { item_id: Number(itemId), purchase_code: code };
    const refused = await client().send('POST', '/purchases', sale);
    expect(refused).toMatchObject({ status: 409, body: { code: 'purchase_code_taken' } });
    await client().send('POST', `/pools/${id}/withdraw`);
    expect((await client().send('POST', '/purchases', sale)).status).toBe(409);
  });

  it('the list shows the pools of all items or of one item, newest first', async () => {
    const otherItem = await given.item(workspaceId);
    const first = await createPool(client(), { item_id: Number(otherItem) });
    const second = await createPool(client(), { item_id: Number(otherItem) });
    const ids = async (query: string) =>
      (await client().send('GET', `/pools${query}`)).body.data.pools.map((pool: { id: number }) => pool.id);
    expect(await ids(`?item_id=${otherItem}`)).toEqual([second.id, first.id]);
    expect((await ids('?limit=2')).slice(0, 2)).toEqual([second.id, first.id]);
    const page = (await client().send('GET', `/pools?item_id=${otherItem}&limit=1`)).body.data;
    expect(await ids(`?item_id=${otherItem}&limit=1&cursor=${page.next_cursor}`)).toEqual([first.id]);
  });

  it('a pool of another workspace is answered like a missing pool', async () => {
    const foreignWorkspace = await given.workspace();
    const foreignItem = await given.item(foreignWorkspace);
    const foreign = keyClient(given, await given.apiKey(foreignWorkspace, { scopes: ['purchases:write'] }));
    const { id } = await createPool(foreign, { item_id: Number(foreignItem) });
    await foreign.send('POST', `/pools/${id}/refill`, { free: 1 });
    const tries = [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['POST', '/refill', { free: 2 }],
      ['POST', '/codes', { codes: ['foreign-code'] }],
      ['POST', '/draw', {}],
      ['POST', '/withdraw', undefined],
    ] as const;
    for (const [method, path, body] of tries) {
      const answers = [id, 999_999_999].map((each) => client().send(method, `/pools/${each}${path}`, body));
      const [found, missing] = await Promise.all(answers);
      expect(found).toMatchObject({ status: 404, body: { code: 'pool_not_found' } });
      expect(found && withoutRequestId(found)).toBe(missing && withoutRequestId(missing));
    }
    const created = await client().send('POST', '/pools', { item_id: Number(foreignItem), name: 'Mine' });
    expect(created).toMatchObject({ status: 404, body: { code: 'item_not_found' } });
    expect(await readCounts(foreign, id)).toEqual({ free: 1, assigned: 0, withdrawn: 0 });
  });
});

it('the same code can be in the pools of two workspaces', async () => {
  const added = [];
  for (let n = 0; n < 2; n++) {
    const own = await given.workspace();
    const ownItem = await given.item(own);
    const client = keyClient(given, await given.apiKey(own, { scopes: ['purchases:write'] }));
    const { id } = await createPool(client, { item_id: Number(ownItem) });
    added.push((await client.send('POST', `/pools/${id}/codes`, { codes: ['same-code'] })).body.data.added);
  }
  expect(added).toEqual([1, 1]);
});

it('a limit applies to the free codes of an item in all pools; withdrawn codes do not count', async () => {
  const [client] = clients as [TestClient, TestClient];
  const ownItem = Number(await given.item(workspaceId));
  const first = await createPool(client, { item_id: ownItem });
  const second = await createPool(client, { item_id: ownItem });
  // The counts are set directly, because generating so many codes takes seconds.
  await given.db.query('update code_pools set free_count = $2 where id = $1', [first.id, maxFreeCodes - 1]);
  const refill = (free: number) => client.send('POST', `/pools/${second.id}/refill`, { free });
  expect(await refill(2)).toMatchObject({ status: 409, body: { code: 'pool_full' } });
  expect((await refill(1)).status).toBe(200);
  const imported = await client.send('POST', `/pools/${second.id}/codes`, { codes: ['one-code-too-many'] });
  expect(imported).toMatchObject({ status: 409, body: { code: 'pool_full' } });
  expect((await refill(1)).body.data.generated).toBe(0);
  await client.send('POST', `/pools/${second.id}/withdraw`);
  expect((await refill(1)).body.data.generated).toBe(1);
});

it('an item with 1,000,000 withdrawn codes gets no new codes; its free codes can be drawn', async () => {
  const [client] = clients as [TestClient, TestClient];
  const ownItem = Number(await given.item(workspaceId));
  const first = await createPool(client, { item_id: ownItem });
  const second = await createPool(client, { item_id: ownItem });
  const refill = (free: number) => client.send('POST', `/pools/${second.id}/refill`, { free });
  const setWithdrawn = (count: number) =>
    given.db.query('update code_pools set withdrawn_count = $2 where id = $1', [first.id, count]);
  await setWithdrawn(maxWithdrawnCodes - 1);
  expect((await refill(1)).status).toBe(200);
  await setWithdrawn(maxWithdrawnCodes);
  const refused = { status: 409, body: { code: 'too_many_withdrawn' } };
  expect(await refill(2)).toMatchObject(refused);
  const imported = await client.send('POST', `/pools/${second.id}/codes`, { codes: ['one-more-code'] });
  expect(imported).toMatchObject(refused);
  expect((await client.send('POST', `/pools/${second.id}/draw`, {})).status).toBe(200);
});

it('a workspace can have at most 1000 pools', async () => {
  const own = await given.workspace();
  const ownItem = await given.item(own);
  const client = keyClient(given, await given.apiKey(own, { scopes: ['purchases:write'] }));
  await given.db.query(
    `insert into code_pools (workspace_id, name, item_id, license_type, price_minor, currency,
       low_stock_below, created_at, updated_at)
     select $1, 'Pool ' || n, $2, 'Regular', 0, 'USD', 0, now(), now() from generate_series(1, 999) as n`,
    [own, ownItem],
  );
  await createPool(client, { item_id: Number(ownItem), name: 'The last one' });
  const refused = await client.send('POST', '/pools', { item_id: Number(ownItem), name: 'One too many' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_pools' } });
});

it('a long generation runs in batches, stops at its limit, and reports the missing codes', async () => {
  const [client] = clients as [TestClient, TestClient];
  const { id } = await createPool(client, { item_id: Number(await given.item(workspaceId)) });
  const caller = { workspaceId, actor: {} };
  const target = { caller, poolId: BigInt(id), now: given.clock.now, free: 1500 };
  const { masterKey } = given.config;
  // The limit of a request is 10,000. The test sets a lower limit, because 10,000 codes take a second.
  const first = await refillPool({ db: given.db, masterKey }, { ...target, most: 1200 });
  expect(first).toMatchObject({ generated: 1200, missing: 300, pool: { freeCount: 1200n } });
  const second = await refillPool({ db: given.db, masterKey }, target);
  expect(second).toMatchObject({ generated: 300, missing: 0, pool: { freeCount: 1500n } });
  const counts = (await auditOf(id)).slice(1).map((row) => row.details.count);
  expect(counts).toEqual([1000, 200, 300]);
});

it('an imported file of purchases cannot sell a code that waits in a pool', async () => {
  const own = await given.workspace();
  const ownItem = await given.item(own);
  const owner = await givenSignedIn(given, own);
  const { body } = await owner.post(`${owner.base}/pools`, { item_id: Number(ownItem), name: 'Shop' });
  await owner.post(`${owner.base}/pools/${body.data.pool.id}/codes`, { codes: ['pooled-code'] });
  const answer = await given.app.inject({
    method: 'POST',
    url: `${owner.base}/purchases/import`,
    headers: { cookie: owner.cookie, origin: 'http://127.0.0.1:4100', 'content-type': 'text/csv' },
    payload:
      `code,item_id,price,date\nPOOLED-code,${ownItem},1,2026-01-02\n` +
      `free-code,${ownItem},1,2026-01-02\n`,
  });
  const { done } = JSON.parse(answer.body.trim().split('\n').at(-1) ?? '');
  expect(done.counts).toMatchObject({ inserted: 1, conflicts: 1 });
  expect(done.problems).toMatchObject([{ line: 2, field: 'code' }]);
});

it('an owner exports the free codes as CSV without formulas; members and keys cannot', async () => {
  const own = await given.workspace();
  const ownItem = await given.item(own);
  const owner = await givenSignedIn(given, own);
  const member = await givenSignedIn(given, own, 'member');
  const { body } = await owner.post(`${owner.base}/pools`, { item_id: Number(ownItem), name: '=1+1' });
  const { id } = body.data.pool;
  const path = `${owner.base}/pools/${id}`;
  await owner.post(`${path}/codes`, { codes: ['drawn-code', '=cmd|calc', 'Plain-Code', '@a,b'] });
  await owner.post(`${path}/draw`);
  const exported = await given.app.inject({ url: `${path}/export`, headers: { cookie: owner.cookie } });
  expect(exported.headers['content-disposition']).toContain(`pool-${id}-2026-05-04.csv`);
  expect(exported.body).toBe(`code\n'=cmd|calc\nPlain-Code\n"'@a,b"\n`);
  expect((await member.get(`${path}/export`)).body.code).toBe('forbidden');
  expect((await owner.get(`${owner.base}/pools/999999999/export`)).body.code).toBe('pool_not_found');
  const apiKey = await given.apiKey(own, { scopes: ['purchases:write'] });
  expect((await keyClient(given, apiKey).send('GET', `/pools/${id}/export`)).status).toBe(404);
  expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'pool_codes_exported', details: { free: 3 } });
});

it('only a key with the right to write purchases can use pools', async () => {
  for (const wanted of [
    { scopes: ['account:read', 'items:read', 'purchases:validate'] as const },
    { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const,
  ]) {
    const key = await given.apiKey(workspaceId, { ...wanted, scopes: [...wanted.scopes] });
    for (const [method, path] of [
      ['GET', '/pools'],
      ['POST', '/pools/1/draw'],
    ] as const)
      expect((await keyClient(given, key).send(method, path)).body.code).toBe('insufficient_scope');
  }
});

it('the database and the log contain no code of a pool in clear text', async () => {
  const [client] = clients as [TestClient, TestClient];
  const { id } = await createPool(client);
  const codes = ['secret-pool-code-one', 'secret-pool-code-two'];
  await client.send('POST', `/pools/${id}/codes`, { codes });
  await client.send('POST', `/pools/${id}/codes`, { codes });
  await client.send('POST', `/pools/${id}/draw`, {});
  const stored = JSON.stringify(await dumpRows(given.db));
  const logged = given.logLines.join('\n');
  for (const code of codes) {
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(Buffer.from(code).toString('hex'));
    expect(logged).not.toContain(code);
  }
  const { rows } = await given.db.query<{ n: number }>(
    `select count(*)::int as n from pool_codes where state <> 'free' and code_sealed is not null`,
  );
  expect(rows[0]?.n).toBe(0);
});

it('an operator generates, lists, exports and withdraws the codes of a pool', async () => {
  const ownWorkspace = await given.workspace();
  const ownItem = Number(await given.item(ownWorkspace));
  const own = keyClient(given, await given.apiKey(ownWorkspace, { scopes: ['purchases:write'] }));
  const id = String((await createPool(own, { item_id: ownItem, name: 'Shop' })).id);
  const run = (verb: string, ...rest: string[]) =>
    command.run('pools', verb, ...rest, '--workspace', String(ownWorkspace));
  expect((await run('generate', id, '--free', '2')).out).toBe('2 codes were generated.\n');
  const again = JSON.parse((await run('generate', id, '--free', '2', '--json')).out);
  expect(again).toMatchObject({ generated: 0, pool: { free: 2 } });
  const listed = JSON.parse((await run('list', '--json')).out);
  expect(listed).toMatchObject({ pools: [{ name: 'Shop', free: 2 }], next_cursor: null });
  expect((await run('list')).out).toMatch(/Shop +\d+ +2 +0 +0 +no/);
  const file = command.path('free.csv');
  await run('export', id, file);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  expect(lines).toEqual(['code', expect.stringMatching(/^[0-9a-f-]{36}$/), expect.any(String)]);
  expect((await run('withdraw', id)).out).toBe('2 codes were withdrawn.\n');
  expect((await run('generate', id, '--free', '0')).err).toContain('--free takes a number from 1 to 100000');
  for (const verb of [['generate', '--free', '1'], ['export'], ['withdraw']]) {
    const [name = '', ...options] = verb;
    expect(await run(name, '999999999', ...options)).toMatchObject({
      code: 2,
      err: 'There is no such pool\n',
    });
  }
});
