// The commands for provider connections, with output as tables and as JSON.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;
let owner: GivenPackage;
let folder: string;

beforeAll(async () => {
  given = await givenWallet();
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
