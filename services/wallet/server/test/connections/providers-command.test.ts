// The commands for provider connections, with output as tables and as JSON.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DialectName, dialectNames } from '../../src/connections/dialects/dialect.ts';
import { signParams } from '../../src/connections/dialects/slotegrator/signature.ts';
import { signWalletRequest } from '../../src/connections/dialects/softswiss/signature.ts';
import { giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;
let owner: GivenPackage;
let folder: string;

beforeAll(async () => {
  given = await givenWallet({ WEBHOOK_LOCAL_ADDRESSES: 'on' });
  owner = await given.package();
  folder = await mkdtemp(join(tmpdir(), 'providers-'));
});

afterAll(async () => {
  await given.close();
  await rm(folder, { recursive: true });
});

const providers = (verb: string, ...words: string[]) =>
  runWalletCommand(given, ['providers', verb, '--package', owner.uid, ...words]);

const json = async (verb: string, ...words: string[]) =>
  JSON.parse((await providers(verb, ...words, '--json')).out);

function createSecrets(dialect: DialectName): Record<string, string> {
  if (dialect === 'softswiss') return { token: 'a-long-token' };
  if (dialect === 'slotegrator') return { merchant_id: 'merchant', merchant_key: 'merchant-key' };
  if (dialect === 'valkyrie') return { token: 'valkyrie-token', recon_token: 'recon-token' };
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { provider_public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

async function fileWith(content: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it('the commands create, list, rotate, pause, resume and delete a connection', async () => {
  const secrets = { token: 'a-long-token' };
  const { connection, ...made } = await json(
    ...(['create', '--name', 'Aggregator', '--dialect', 'softswiss'] as const),
    ...['--game-prefix', 'ss-', '--currency', 'CUSTOM_WIN=EUR', '--currency', 'EURO=EUR'],
    ...['--secrets-file', await fileWith(secrets)],
  );
  expect(made.secrets).toEqual(secrets);
  expect(connection).toMatchObject({
    url: `${given.config.publicUrl}/providers/${connection.id}`,
    game_prefix: 'ss-',
    currencies: { CUSTOM_WIN: 'EUR', EURO: 'EUR' },
    state: 'active',
  });
  const listed = await providers('list');
  expect(listed.out).toMatch(/^ *ID +NAME +DIALECT +STATE +PREFIX/);
  expect(listed.out).toMatch(new RegExp(`${connection.id} +Aggregator +softswiss +active`));
  expect(listed.out).not.toContain(secrets.token);
  const fresh = { token: 'another-token' };
  const file = ['--secrets-file', await fileWith(fresh)];
  const rotated = await json('rotate', connection.id, '--overlap', '1h', ...file);
  expect(rotated).toEqual({ id: connection.id, secrets: fresh, old_until: expect.any(String) });
  expect((await providers('pause', connection.id)).out).toBe(`Connection ${connection.id} is paused.`);
  expect((await json('list')).connections).toMatchObject([{ state: 'paused' }]);
  expect(await json('resume', connection.id)).toMatchObject({ id: connection.id, state: 'active' });
  expect(await json('delete', connection.id)).toEqual({ id: connection.id, state: 'deleted' });
  expect((await providers('list')).out).toBe('There are none.');
  const { rows } = await given.db.query<{ actor_kind: string; action: string }>(
    'select actor_kind, action from audit_log where package_id = $1 order by id',
    [owner.id],
  );
  expect(rows.slice(-5).map((row) => `${row.actor_kind} ${row.action}`)).toEqual([
    'operator connection_created',
    'operator connection_rotated',
    'operator connection_paused',
    'operator connection_resumed',
    'operator connection_deleted',
  ]);
});

it('the command `edit` changes only the given settings, and records the change', async () => {
  const { connection } = await json(
    ...(['create', '--name', 'Before', '--dialect', 'valkyrie'] as const),
    ...['--game-prefix', 'v-', '--currency', 'OLD=EUR', '--upstream-url', 'https://api.example/v1'],
  );
  expect(await json('edit', connection.id, '--name', 'After')).toEqual({ ...connection, name: 'After' });
  const changed = await json(
    ...(['edit', connection.id, '--game-prefix', 'w-'] as const),
    ...['--currency', 'NEW=EUR', '--currency', 'EURO=EUR', '--upstream-url', 'https://api.example/v2'],
  );
  expect(changed).toMatchObject({
    name: 'After',
    game_prefix: 'w-',
    currencies: { NEW: 'EUR', EURO: 'EUR' },
    upstream_url: 'https://api.example/v2',
  });
  const { out, code } = await providers(
    ...([
      'edit',
      connection.id,
      '--game-prefix',
      '',
      '--currency',
      'none',
      '--upstream-url',
      'none',
    ] as const),
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^The settings of After:$/m);
  expect(out).toMatch(/game prefix +none\n +currencies +none\n +upstream URL +none/);
  const { rows } = await given.db.query<{ details: object }>(
    `select details from audit_log where package_id = $1 and action = 'connection_edited' order by id`,
    [owner.id],
  );
  expect(rows.map(({ details }) => Object.keys(details))).toEqual([
    ['name'],
    ['currencies', 'game_prefix', 'upstream_url'],
    ['currencies', 'game_prefix', 'upstream_url'],
  ]);
});

it('a new connection is printed with its generated credentials', async () => {
  const { out, code } = await providers('create', '--name', 'Own', '--dialect', 'valkyrie');
  expect(code).toBe(0);
  expect(out).toMatch(/will not be shown again/);
  expect(out).toMatch(/url +\S+\/providers\/con_/);
  expect(out).toMatch(/token +cps_/);
  expect(out).toMatch(/recon_token +cps_/);
});

it.each([
  ['an unknown connection', ['pause', 'con_1x0'], /no such provider connection/],
  ['no credential of the provider', ['create', '--name', 'A', '--dialect', 'softswiss'], /secrets\.token/],
  [
    'a profile of another dialect',
    ['create', '--name', 'A', '--dialect', 'valkyrie', '--profile', 'caleta'],
    /profile/,
  ],
  [
    'a missing file',
    ['create', '--name', 'A', '--dialect', 'valkyrie', '--secrets-file', '/nowhere/at/all'],
    /cannot be read/,
  ],
  [
    'an invalid prefix of games',
    ['create', '--name', 'A', '--dialect', 'valkyrie', '--game-prefix', 'a b'],
    /game_prefix needs up to 32/,
  ],
  ['an unknown connection to edit', ['edit', 'con_1x0', '--name', 'B'], /no such provider connection/],
  ['an unknown connection to test', ['test', 'con_1x0', '--player', 'a'], /no such provider connection/],
  ['an unknown connection of calls', ['calls', 'con_1x0'], /no such provider connection/],
  ['an unknown connection to validate', ['self-validate', 'con_1x0'], /no such provider connection/],
])('a command with %s changes nothing and fails', async (_name, [verb = '', ...words], sentence) => {
  const before = await json('list');
  const { refused, code } = await providers(verb, ...words);
  expect(refused).toMatch(sentence);
  expect(code).toBe(2);
  expect(await json('list')).toEqual(before);
});

it('a credentials file that is not a JSON object is refused, and its text is not printed', async () => {
  for (const content of ['not json: my-secret', ['my-secret'], { token: { deep: 'my-secret' } }]) {
    const file = await fileWith(content);
    const { refused, code } = await providers(
      ...(['create', '--name', 'A', '--dialect', 'valkyrie', '--secrets-file', file] as const),
    );
    expect([code, refused]).toEqual([2, expect.stringContaining('must be a JSON object')]);
    expect(refused).not.toContain('my-secret');
  }
});

describe('a test call from the command line', () => {
  it.each(dialectNames)(
    'the command prints the request, the answer and its meaning in the dialect %s',
    async (dialect) => {
      const secrets = createSecrets(dialect);
      const { id } = await giveConnection(given, owner, { dialect, secrets, currencies: { EURO: 'EUR' } });
      const playerId = await given.player(owner, { balance: '12.50' });
      const tested = await json('test', id, '--player', playerId);
      expect(tested.response).toMatchObject({ status: 200, body: expect.stringContaining('12') });
      expect(tested.meaning).toMatchObject({
        call: { kind: 'balance', playerId },
        result: { kind: 'balance', balances: { cash: '1250' } },
      });
      const { out, code } = await providers('test', id, '--player', playerId);
      expect([code, out]).toEqual([0, expect.stringMatching(/^The connection answered with the balance/)]);
      expect(out).toMatch(/request +(?:GET|POST) \//);
      expect(out).toMatch(/answer +HTTP 200 \{/);
      expect(out).toMatch(/meaning +balance: 12\.50/);
      const { token = 'no token', merchant_key: key = 'no key' } = secrets;
      for (const secret of [token, key]) expect(out).not.toContain(secret);
      // Both calls are in the log.
      expect((await json('calls', id)).calls).toMatchObject([
        { player_id: playerId },
        { player_id: playerId },
      ]);
    },
  );

  it('the command fails if the connection refuses the call', async () => {
    const { id } = await giveConnection(given, owner, {
      dialect: 'softswiss',
      secrets: { token: 'a-token' },
    });
    const unknown = await providers('test', id, '--player', 'nobody');
    expect(unknown.out).toMatch(/^The connection refused the call: player_not_found\./);
    expect(unknown.out).toMatch(/meaning +balance: refused, player_not_found/);
    expect(unknown.code).toBe(1);
    await providers('pause', id);
    const paused = await providers('test', id, '--player', await given.player(owner));
    expect(paused.out).toMatch(/meaning +the call was not read/);
    expect(paused.code).toBe(1);
  });
});

it('the command `calls` lists the calls of one or all connections, each with its meaning', async () => {
  const other = await given.package({ credit: '1000.00' });
  const calls = (...words: string[]) =>
    runWalletCommand(given, ['providers', 'calls', '--package', other.uid, ...words]);
  expect((await calls()).out).toBe('There are none.');
  const token = 'a-long-token';
  const first = await giveConnection(given, other, {
    dialect: 'softswiss',
    secrets: { token },
    name: 'First',
  });
  const second = await giveConnection(given, other, {
    dialect: 'softswiss',
    secrets: { token },
    name: 'Second',
  });
  const playerId = await given.player(other, { balance: '10.00' });
  const common = { account_id: playerId, currency: 'EUR', game_id: 'dice' };
  const legs = [
    { id_provider: 'b1', type: 'bet', amount: '1.00' },
    { id_provider: 'w1', type: 'win', amount: '2.50' },
  ];
  const round = { ...common, round_id: 'r1', transactions: legs };
  for (const connection of [first, second]) {
    await connection.send(signWalletRequest(token, '/balance', common));
  }
  await first.send(signWalletRequest(token, '/betwin', round));
  await first.send(signWalletRequest(token, '/betwin', round));
  await expect.poll(async () => JSON.parse((await calls('--json')).out).calls.length).toBe(4);
  const all = (await calls()).out.split('\n');
  expect(all[0]).toMatch(/TIME +CONNECTION +CALL +PLAYER +STATUS +CODE +MEANING/);
  expect(all[1]).toMatch(
    /First +POST \/betwin .+bet 1\.00 \(repeated\), win 2\.50 \(repeated\): balance 11\.50/,
  );
  expect(all[2]).toMatch(/First +POST \/betwin .+ 200 +bet 1\.00, win 2\.50: balance 11\.50/);
  expect(all[3]).toMatch(/Second +POST \/balance .+balance: 10\.00/);
  const read = async (...words: string[]) => JSON.parse((await calls(...words, '--json')).out);
  const page = await read(first.id, '--limit', '2');
  expect(page.calls).toHaveLength(2);
  const next = await read(first.id, '--limit', '2', '--cursor', page.next_cursor);
  expect(next.calls).toMatchObject([{ operation: 'POST /balance', connection: { name: 'First' } }]);
  expect((await read('--transaction-id', 'w1')).calls).toHaveLength(2);
  expect((await read('--player', 'nobody')).calls).toEqual([]);
});

describe('self-validate', () => {
  const merchant = { merchant_id: 'merchant', merchant_key: 'merchant-key' };

  async function validate(answer: (request: IncomingMessage, body: string) => [number, string]) {
    const server = createServer(async (request, response) => {
      const [status, text] = answer(request, await textOf(request));
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    const { id } = await giveConnection(given, owner, {
      dialect: 'slotegrator',
      secrets: merchant,
      upstreamUrl,
    });
    try {
      return { table: await providers('self-validate', id), id };
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }

  it('self-validate sends a signed request to the provider and prints its findings', async () => {
    const log = ['Balance: success', '{"request":{"action":"bet"}}', 'Bet: success'];
    let seen: IncomingMessage | undefined;
    const { table } = await validate((request) => {
      seen = request;
      return [200, JSON.stringify({ success: true, log })];
    });
    expect(seen).toMatchObject({ method: 'POST', url: '/api/self-validate' });
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-sign': sign } = seen?.headers ?? {};
    const stamp = { timestamp: Number(timestamp), nonce: String(nonce) };
    const signed = signParams({ merchantId: 'merchant', merchantKey: 'merchant-key' }, new Map(), stamp);
    expect(sign).toBe(signed['x-sign']);
    expect(table).toEqual({
      out: 'Balance: success\nBet: success\nThe self-validation succeeded.',
      refused: '',
      code: 0,
    });
  });

  it('self-validate exits with status 1 if the provider found a fault', async () => {
    const { table } = await validate(() => [200, '{"success":false,"log":["Refund: wrong balance"]}']);
    expect(table.out).toBe('Refund: wrong balance\nThe self-validation failed.');
    expect(table.code).toBe(1);
  });

  it.each([
    [401, '{}', /refused the merchant ID or the merchant key/],
    [302, '{}', /redirects to another address/],
  ])('self-validate exits with status 2 if the provider answers %i %s', async (status, body, sentence) => {
    const { table } = await validate(() => [status, body]);
    expect([table.refused, table.code]).toEqual([expect.stringMatching(sentence), 2]);
  });

  it.each([
    [404, '{}', /launch a game for the test player first/],
    [200, '<html>', /the answer is not JSON/],
    [200, '{"success":1}', /does not have the form of a self-validation/],
  ])('self-validate throws an error if the provider answers %i %s', async (status, body, sentence) => {
    await expect(validate(() => [status, body])).rejects.toThrow(sentence);
  });

  it('self-validate needs a reachable upstream URL and a connection in the dialect slotegrator', async () => {
    const wanted = { dialect: 'slotegrator', secrets: merchant } as const;
    const { id } = await giveConnection(given, owner, { ...wanted, upstreamUrl: 'http://127.0.0.1:1' });
    expect((await providers('self-validate', id)).refused).toContain('the connection failed');
    const bad = {
      ...given,
      config: { ...given.config, webhooks: { ...given.config.webhooks, allowLocal: false } },
    };
    const words = ['providers', 'self-validate', id, '--package', owner.uid];
    expect((await runWalletCommand(bad, words)).refused).toBe('the upstream URL must start with https://.\n');
    const bare = await giveConnection(given, owner, wanted);
    expect((await providers('self-validate', bare.id)).refused).toContain('has no upstream URL');
    const other = await giveConnection(given, owner, { dialect: 'valkyrie' });
    expect((await providers('self-validate', other.id)).refused).toContain('only slotegrator');
  });
});
