// `counterfoil …`: help, tables, JSON and exit statuses of every verb of both services.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnavailableError, openDb } from '@counterfoil/kit/postgres/db';
import { widthOf } from '@counterfoil/kit/process/command-line/table';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { classifyFailure } from '../src/entry/exit-status.ts';
import { createOwnProgram } from '../src/entry/own-verbs.ts';
import { listCommands, openService } from '../src/entry/services.ts';
import { verbs } from '../src/entry/verbs.ts';
import { type Entry, openEntry } from './run-entry.ts';

let folder: string;
let databases: TestDatabase[];
let env: Record<string, string>;
let entry: Entry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-entry-'));
  databases = await Promise.all(
    ['licensing', 'wallet'].map((name) => createTestDatabase(inject('testServer'), name)),
  );
  const [licensing, wallet] = databases.map(({ url }) => url);
  env = {
    LICENSING_DATABASE_URL: licensing ?? '',
    WALLET_DATABASE_URL: wallet ?? '',
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: folder,
  };
  entry = openEntry({ env });
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.dispose()));
  await rm(folder, { recursive: true, force: true });
});

const context = {
  env: {},
  print: () => {},
  note: () => {},
  columns: 80,
  readInput: async () => '',
};

const fits = (text: string) => {
  for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80);
};

/** Runs a verb that must succeed and returns its JSON document as `any`. The assertions check its content. */
const done = async (...words: string[]) => {
  const { status, document } = await entry.json(...words);
  expect({ words, status, document }).toMatchObject({ status: 0 });
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the document depends on the verb
  return document as any;
};

const table = async (...words: string[]) => {
  const { status, out } = await entry.run(...words);
  expect(status).toBe(0);
  fits(out);
  return out;
};

it('every verb and subcommand has help that fits 80 columns', async () => {
  const all = await entry.run('help');
  fits(all.out);
  expect(all.out).not.toContain('…');
  for (const { name } of verbs.filter((verb) => verb.name !== 'help')) {
    expect(all.out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
    for (const words of [
      [name, '--help'],
      ['help', name],
    ]) {
      const { status, out, err } = await entry.run(...words);
      expect({ words, status, err }).toEqual({ words, status: 0, err: '' });
      expect(out).toContain(`Usage: counterfoil ${name}`);
      fits(out);
    }
  }
  for (const { words } of await listCommands(context, createOwnProgram(context))) {
    const { status, out } = await entry.run(...words, '--help');
    expect({ words, status }).toEqual({ words, status: 0 });
    expect(out).toContain(`Usage: counterfoil ${words.join(' ')}`);
    fits(out);
  }
});

it('commands have descriptions; start, completion, distribute and command groups lack --json', async () => {
  for (const service of ['licensing', 'wallet'] as const) {
    const names = (await openService(service, context)).commands.map((each) => each.name());
    const behind = verbs.filter((verb) => verb.services.includes(service));
    expect(behind.map(({ name }) => name).sort()).toEqual(names.sort());
  }
  const found = await listCommands(context, createOwnProgram(context));
  expect(found.length).toBeGreaterThan(50);
  const withoutJson = ['start', 'completion', 'distribute'];
  for (const { words, command } of found) {
    expect(command.description(), words.join(' ')).not.toBe('');
    const isLeaf = command.commands.length === 0 && !withoutJson.includes(words[0] ?? '');
    const takesJson = command.options.some((option) => option.long === '--json');
    expect({ words, takesJson }).toEqual({ words, takesJson: isLeaf });
  }
});

it.each([
  [[], 'Usage: counterfoil'],
  [['pakages'], 'Did you mean packages?'],
  [['verfiy'], 'Did you mean verify?'],
  [['xyzzy'], 'There is no verb "xyzzy". See counterfoil help.'],
  [['packages'], 'Usage: counterfoil packages'],
  [['packages', 'lst'], 'Did you mean list?'],
  [['packages', 'list', '--limt', '3'], 'Did you mean --limit?'],
  [['packages', 'list', '--limit', '0'], 'a whole number from 1 to 100'],
  [['items', 'list', '--workspace', '1', '--cursor', 'x'], 'not a cursor of this list'],
  [['players', 'list'], "required option '--package <uid>' not specified"],
  [['keys', 'list'], 'add --service licensing or --service wallet'],
  [['people', 'reset-password', 'a@b.example'], 'add --service licensing'],
  [['verify', '--service', 'licensing'], 'verify is a verb of wallet'],
  [['completion', 'fish'], 'Allowed choices are bash'],
])(
  'the arguments %j are refused with exit status 2 and a message on standard error only',
  async (words, sentence) => {
    const { status, out, err } = await entry.run(...words);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(sentence);
  },
);

it('the commands manage items and purchases of a seller, from the import to the refund', async () => {
  const { id } = await done(
    'workspaces',
    'create',
    '--name',
    'Door',
    '--email',
    'd@example.com',
    '--currency',
    'USD',
  );
  const at = ['--workspace', String(id)];
  const file = join(folder, 'items.csv');
  const name = 'A theme with a name that is too long for the column of a table on a terminal';
  await writeFile(
    file,
    [
      'external_id,kind,name,price_regular,state,thumbnail,preview_image',
      `a,image,${name},19.99,published,https://cdn.example/t.png,https://cdn.example/p.png`,
      'b,image,Two,5,,,\n',
    ].join('\n'),
  );
  expect(await done('import', 'items', file, ...at)).toMatchObject({ read: 2, inserted: 2 });
  const first = await done('items', 'list', ...at, '--limit', '1');
  expect(first).toMatchObject({ items: [{ name: 'Two' }], next_cursor: expect.any(String) });
  const { items } = await done('items', 'list', ...at, '--cursor', first.next_cursor);
  expect(items).toMatchObject([{ name, price: { regular: 19.99 } }]);
  expect(await table('items', 'list', ...at)).toContain('…');
  const item = String(items[0].id);
  expect(await table('items', 'show', item, ...at)).toContain('19.99 USD');

  const sale = ['--item', item, '--buyer-email', 'b@example.com', '--idempotency-key', 'order-1'];
  const sold = await done('purchases', 'issue', ...at, ...sale);
  expect(sold).toMatchObject({ price: 19.99, state: 'active', purchase_code: expect.any(String) });
  expect(await done('purchases', 'issue', ...at, ...sale)).toEqual(sold);
  const number = String(sold.id);
  const masked = [
    await table('purchases', 'list', ...at),
    await table('purchases', 'show', number, ...at),
    JSON.stringify(await done('purchases', 'list', ...at, '--buyer-email', 'B@example.com')),
  ];
  for (const text of masked) {
    expect(text).toContain(sold.code_hint);
    expect(text).not.toContain(sold.purchase_code);
  }
  const whole = await table('purchases', 'show', number, ...at, '--with-code');
  expect(whole).toContain(sold.purchase_code);
  for (const verb of ['show', 'refund']) {
    expect(await entry.json('purchases', verb, '99999', ...at)).toMatchObject({
      status: 3,
      document: { code: 'purchase_not_found', msg: 'There is no such purchase' },
    });
  }
  expect(await done('purchases', 'refund', number, ...at)).toMatchObject({ state: 'refunded' });
  expect(await entry.json('purchases', 'cancel', number, ...at)).toMatchObject({
    status: 4,
    document: { status: 'error', code: 'purchase_state_conflict', exit_status: 4 },
  });
  const out = join(folder, 'sales.csv');
  expect(await done('export', 'purchases', out, ...at)).toMatchObject({ rows: 1, format: 'csv' });
});

it('`keys` uses the wallet with --package and licensing with --workspace; `list` masks keys', async () => {
  const opened = ['--name', 'Keys', '--email', 'k@example.com', '--currency', 'EUR'];
  const { id } = await done('workspaces', 'create', ...opened);
  const at = ['--workspace', String(id)];
  const made = await done('keys', 'create', ...at, '--name', 'Site');
  const rotated = await done('keys', 'rotate', String(made.id), ...at);
  const listed = await table('keys', 'list', ...at);
  expect(listed).toContain(`ck_live_…${made.api_key.slice(-4)}`);
  for (const { api_key } of [made, rotated]) expect(listed).not.toContain(api_key);
  expect(await done('keys', 'revoke', String(made.id), ...at)).toMatchObject({ state: 'revoked' });
  expect(await entry.run('keys', 'revoke', '999', ...at)).toMatchObject({ status: 3, out: '' });

  const issued = await done('packages', 'create', '--name', 'Keys', '--currency', 'EUR');
  const of = ['--package', issued.uid];
  const pairs = await table('keys', 'list', ...of);
  expect(pairs).toMatch(/gpk_\S*….{4} +caller +active/);
  expect(pairs).not.toContain(issued.api_key);
  const fresh = await done('keys', 'rotate', ...of, '--overlap', '0');
  const { keys } = await done('keys', 'list', ...of);
  const pair = keys.find((each: { api_key: string }) => each.api_key === fresh.api_key);
  expect(await done('keys', 'revoke', String(pair.id), ...of)).toMatchObject({ state: 'revoked' });
});

it('the commands manage a package and its players; `verify` finds a changed journal', async () => {
  const name = 'Aurora Play with a name that goes on and on and on until the table is too narrow';
  const { uid } = await done('packages', 'create', '--name', name, '--currency', 'EUR');
  expect(await done('packages', 'approve', uid)).toMatchObject({ state: 'approved' });
  const topUp = ['packages', 'top-up', uid, '--amount', '250.00', '--transaction-id', 't-1'];
  expect(await done(...topUp)).toMatchObject({ balance: 250, duplicate: false });
  expect(await done(...topUp)).toMatchObject({ duplicate: true });
  expect(await table('packages', 'list')).toContain(uid);
  expect((await entry.run('packages', 'list', '--limit', '1')).err).toContain('--cursor ');
  expect(await table('packages', 'show', uid)).toContain('250.00 EUR');

  const of = ['--package', uid];
  for (const player of ['p-1', 'p-2']) await done('players', 'create', player, ...of);
  const first = await done('players', 'list', ...of, '--limit', '1');
  const second = await done('players', 'list', ...of, '--cursor', first.next_cursor);
  expect([first.players[0].player_id, second.players[0].player_id]).toEqual(['p-1', 'p-2']);
  expect(await done('players', 'block', 'p-1', ...of)).toMatchObject({ status: 'blocked' });
  expect(await table('players', 'show', 'p-1', ...of)).toContain('blocked');

  expect(await done('verify', ...of)).toMatchObject([{ uid, clean: true }]);
  const db = openDb({ url: env.WALLET_DATABASE_URL ?? '', applicationName: 'tamper' });
  await db.query(`update journal set amount = amount + 1 where transaction_id = 't-1'`);
  await db.end();
  expect(await entry.json('verify', ...of)).toMatchObject({ status: 1, document: [{ uid }] });
});

it.each([
  [3, ['packages', 'show', 'UID_unknown'], 'package_not_found'],
  [3, ['verify', '--package', 'UID_unknown'], 'not_found'],
  [3, ['items', 'list', '--workspace', '999999'], 'workspace_not_found'],
  [3, ['people', 'reset-password', 'x@y.example', '--service', 'wallet'], 'person_not_found'],
  [3, ['credentials'], 'not_found'],
  [2, ['packages', 'create', '--name', 'x', '--currency', 'XYZ'], 'invalid_parameter'],
  [2, ['packages', 'show'], 'wrong_usage'],
])(
  'exit status %i and a reason in JSON are the result of the failing command %j',
  async (status, words, code) => {
    const outcome = await entry.json(...words);
    expect(outcome).toEqual({
      status,
      document: expect.objectContaining({ status: 'error', code, exit_status: status }),
    });
  },
);

it('a command exits with status 5 without a database, and with status 2 for wrong settings', async () => {
  const away = openEntry({ env: { ...env, WALLET_DATABASE_URL: 'postgres://127.0.0.1:1/x' } });
  expect(await away.run('packages', 'list')).toMatchObject({ status: 5, out: '' });
  const wrong = openEntry({ env: { ...env, WALLET_PORT: 'x', LOG_LEVEL: 'y' } });
  const { status, err } = await wrong.run('packages', 'list');
  expect(status).toBe(2);
  expect(err).toMatch(/WALLET_PORT must be[\s\S]*LOG_LEVEL must be|LOG_LEVEL[\s\S]*WALLET_PORT/);
  const none = openEntry({ env: { DATA_DIR: join(folder, 'none') } });
  expect(await none.run('packages', 'list')).toMatchObject({ status: 5 });
});

it('the exit status is 6 if the connection is lost during a change, and 5 if no change was sent', () => {
  const lost = new DatabaseUnavailableError('connection terminated');
  const refused = new DatabaseUnavailableError('refused', { neverSent: true });
  const status = (error: Error, began: boolean, onlyReads: boolean) =>
    classifyFailure(error, { began, onlyReads }).status;
  expect(status(lost, true, false)).toBe(6);
  expect(status(lost, true, true)).toBe(5);
  expect(status(lost, false, false)).toBe(5);
  expect(status(refused, true, false)).toBe(5);
});

it('`credentials` prints no secrets by default', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const secrets = { password: 'hunter2-hunter2', api_key: 'ck_live_x', api_secret: 'gps_y' };
  const credentials = {
    licensing: {
      base_url: 'http://127.0.0.1:4100',
      workspaces: [{ name: 'Paperlane', email: 'a@example.com', ...secrets }],
    },
    wallet: { base_url: 'http://127.0.0.1:4200', admin: null, packages: [] },
  };
  await writeFile(join(dataDir, 'credentials.json'), JSON.stringify(credentials));
  const own = openEntry({ env: { DATA_DIR: dataDir } });
  const shown = await own.run('credentials');
  fits(shown.out);
  expect(shown.out).toContain('a@example.com');
  for (const secret of Object.values(secrets)) expect(shown.out).not.toContain(secret);
  const whole = await own.run('credentials', '--with-secrets');
  for (const secret of Object.values(secrets)) expect(whole.out).toContain(secret);
  expect((await own.json('credentials')).document).toEqual(credentials);
});

it('the bash completion completes verbs, subcommands and options, even after arguments', async () => {
  const { out } = await entry.run('completion', 'bash');
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const line = `COMP_WORDS=(counterfoil ${typed}); COMP_CWORD=${words.length}`;
    const script = `${out}\n${line}\n_counterfoil\necho "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim();
  };
  expect(complete('pack')).toBe('packages');
  expect(complete('packages', 'sus')).toBe('suspend');
  expect(complete('packages', 'show', 'UID_x', '--j')).toBe('--json');
  expect(complete('keys', 'r')).toBe('rotate revoke');
});
