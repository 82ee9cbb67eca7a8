// A key can be marked for old plug-ins. If one of the four specified operations refuses a request with this
// key, the answer has the status 200, and its body stays the same.
import { Command } from 'commander';
import { beforeAll, expect, it } from 'vitest';
import { addKeyCommands } from '../../src/commands/keys-command.ts';
import { noUsageSink, type RequestEvent } from '../../src/usage/usage-sink.ts';
import { openCountedApp } from '../environment/counted-app.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing({ WRONG_CODES_PER_MINUTE: '3' });
let workspaceId: bigint;
let plain: string;
let old: string;
let refunded: string;

beforeAll(async () => {
  workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  plain = await given.apiKey(workspaceId, { scopes: ['items:read', 'purchases:validate'] });
  old = await given.apiKey(workspaceId, {
    scopes: ['items:read', 'purchases:validate'],
    legacyItem: true,
  });
  refunded = (await given.purchase(workspaceId, itemId, { state: 'refunded' })).code;
});
const ask = async (key: string, path: string, payload?: object) => {
  const answer = await given.app.inject({
    method: payload ? 'POST' : 'GET',
    url: path,
    headers: { 'x-api-key': key },
    ...(payload && { payload }),
  });
  const { request_id: _id, ...body } = answer.json();
  return { status: answer.statusCode, body };
};

const validation = '/api/purchases/validation';

it.each([
  ['a missing scope', 403, '/api/account/details', undefined],
  ['an unknown item', 404, '/api/items/item?item_id=999999999', undefined],
  ['a missing item id', 400, '/api/items/item', undefined],
  ['an invalid page size', 400, '/api/items/all?per_page=0', undefined],
  ['a refunded code', 404, validation, () => ({ purchase_code: refunded })],
  ['a missing code', 400, validation, () => ({})],
])(
  'a refusal because of %s has status %i; a key for old plug-ins gets the same body with status 200',
  async (_title, status, path, body) => {
    const defaultAnswer = await ask(plain, path, body?.());
    expect(defaultAnswer.status).toBe(status);
    expect(defaultAnswer.body.status).toBe('error');
    expect(await ask(old, path, body?.())).toEqual({ status: 200, body: defaultAnswer.body });
  },
);

it('old plug-ins still get 401 and 429, and 403 and 404 outside the four specified operations', async () => {
  expect((await ask(`${old}x`, '/api/items/all')).status).toBe(401);
  expect((await ask(old, '/api/v1/items')).status).toBe(403);
  expect((await ask(old, '/api/nothing')).status).toBe(404);
  for (let n = 0; n < 3; n++) await ask(old, validation, { purchase_code: `wrong-${n}` });
  expect((await ask(old, validation, { purchase_code: 'wrong-3' })).status).toBe(429);
});

it('the log has status 404 for an error that a key for old plug-ins gets with status 200', async () => {
  const seen: RequestEvent[] = [];
  const onRequest = (event: RequestEvent) => void seen.push(event);
  const { app, close } = await openCountedApp(given, { ...noUsageSink, onRequest });
  const headers = { 'x-api-key': old };
  const answer = await app.inject({ url: '/api/items/item?item_id=999999999', headers });
  await close();
  expect(answer.statusCode).toBe(200);
  expect(seen).toMatchObject([{ status: 404, code: 'item_not_found' }]);
});

it('a command switches the answers for old plug-ins on, and leaves an audit line', async () => {
  const key = await given.apiKey(workspaceId, { name: 'By command' });
  const select = `select k.id, k.legacy_item, a.details from api_keys k left join audit_log a
    on a.subject_id = k.id::text and a.subject_kind = 'api_key' where k.name = 'By command'`;
  const { rows } = await given.db.query<{ id: bigint }>(select);
  const printed: string[] = [];
  const program = new Command('licensing');
  addKeyCommands(program, {
    run: async (work) => work(given),
    print: (line) => void printed.push(line),
    readInput: async () => '',
  });
  const line = `keys legacy ${rows[0]?.id} on --workspace ${workspaceId} --json`;
  await program.parseAsync(line.split(' '), { from: 'user' });
  expect(JSON.parse(printed.join())).toEqual({ id: Number(rows[0]?.id), legacy_item: true });
  const after = await given.db.query(select);
  expect(after.rows).toMatchObject([{ legacy_item: true, details: { legacy_item: true } }]);
  expect((await ask(key, '/api/items/item?item_id=999999999')).status).toBe(200);
});
