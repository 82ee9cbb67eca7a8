// `counterfoil doctor` finds simulated faults, gives advice for each, and changes nothing.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '@counterfoil/kit/postgres/db';
import { widthOf } from '@counterfoil/kit/process/command-line/table';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { isGuessable } from '../src/doctor/check-secrets.ts';
import { evaluateDatabase } from '../src/doctor/evaluate-database.ts';
import type { Finding } from '../src/doctor/finding.ts';
import type { Machine } from '../src/doctor/machine.ts';
import type { DatabaseFacts } from '../src/doctor/read-database.ts';
import { openEntry } from './run-entry.ts';

let folder: string;
let databases: { licensing: TestDatabase; wallet: TestDatabase };
let site: Server;
let env: Record<string, string>;

const catalogue = JSON.stringify({
  updated_at: '2026-01-01T00:00:00Z',
  games: [{ id: 'a', name: 'A' }],
});

const plenty: Partial<Machine> = {
  nodeVersion: '24.1.0',
  readDisk: async () => ({ freeBytes: 2 ** 40, totalBytes: 2 ** 41, freeFilesPart: 0.9 }),
  readOpenFiles: async () => 65_536,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-doctor-'));
  const server = inject('testServer');
  databases = {
    licensing: await createTestDatabase(server, 'licensing'),
    wallet: await createTestDatabase(server, 'wallet'),
  };
  site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(catalogue);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const [licensing, wallet] = [await findFreePort(), await findFreePort()];
  env = {
    LICENSING_DATABASE_URL: databases.licensing.url,
    WALLET_DATABASE_URL: databases.wallet.url,
    LICENSING_PORT: String(licensing),
    WALLET_PORT: String(wallet),
    PROVIDER_PRIVATE_URL: at,
    PROVIDER_PUBLIC_URL: at,
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: join(folder, 'data'),
  };
});

afterAll(async () => {
  site.close();
  await Promise.all(Object.values(databases).map((database) => database.dispose()));
  await rm(folder, { recursive: true, force: true });
});

async function examine(changes: Record<string, string> = {}, machine: Partial<Machine> = {}) {
  const entry = openEntry({ env: { ...env, ...changes }, machine: { ...plenty, ...machine } });
  const { status, document } = await entry.json('doctor');
  const { checks, status: worst } = document as { checks: Finding[]; status: string };
  return { status, worst, wrong: checks.filter(({ level }) => level !== 'ok'), checks };
}

it('doctor runs all checks on a sound installation, reports no problem, and changes nothing', async () => {
  const { status, worst, wrong, checks } = await examine();
  expect({ status, worst, wrong }).toEqual({ status: 0, worst: 'ok', wrong: [] });
  expect(new Set(checks.map(({ check }) => check))).toEqual(
    new Set([
      'Node',
      'open files',
      'settings',
      'mail',
      'secrets',
      'data folder',
      'disk',
      `port ${env.LICENSING_PORT}`,
      `port ${env.WALLET_PORT}`,
      'own PostgreSQL',
      'provider',
      'licensing database',
      'licensing clock',
      'wallet database',
      'wallet clock',
    ]),
  );
  const says = checks.map((each) => each.says).join('\n');
  expect(says).toMatch(/PostgreSQL \d+.* answers/);
  expect(says).toContain('fsync, full_page_writes, synchronous_commit are on');
  expect(says).toContain('the private catalogue lists 1 games');
  // The doctor creates neither the data folder nor the stored digest of the master key.
  expect(existsSync(env.DATA_DIR ?? '')).toBe(false);
  const db = openDb({ url: databases.wallet.url, applicationName: 'look' });
  const { rows } = await db.query('select name from service_facts');
  await db.end();
  expect(rows).toEqual([]);
});

it('doctor checks the files folder only if it is outside the data folder', async () => {
  const checked = async (filesDir: string) => {
    const { checks } = await examine({ FILES_DIR: filesDir });
    return checks.some(({ check }) => check === 'files folder');
  };
  expect(await checked(`${env.DATA_DIR}-files`)).toBe(true);
  expect(await checked(`${env.DATA_DIR}/files`)).toBe(false);
});

it('doctor compares max_connections with all connections, including those outside the pool', async () => {
  const db = openDb({ url: databases.wallet.url, applicationName: 'look' });
  const { rows } = await db.query<{ max: number }>("select current_setting('max_connections')::int as max");
  await db.end();
  const max = Number(rows[0]?.max);
  const { wrong } = await examine({ DATABASE_CONNECTIONS: String(max - 5) });
  expect(wrong).toMatchObject([
    {
      check: 'wallet database',
      level: 'problem',
      says: `${max + 2} connections are needed, it allows ${max}`,
    },
  ]);
});

it('doctor prints lines that fit the terminal, with advice for each problem', async () => {
  const entry = openEntry({
    env: { ...env, WALLET_DATABASE_URL: 'postgres://u:geheim-geheim@127.0.0.1:1/x' },
    machine: plenty,
  });
  const { status, out } = await entry.run('doctor');
  expect(status).toBe(1);
  expect(out).toMatch(/✗ problem +wallet database +The database does not answer at 127.0.0.1:1/);
  expect(out).toMatch(/→ Check that the server runs/);
  expect(out).toMatch(/1 problem, 0 warnings, \d+ ok$/);
  expect(out).not.toContain('geheim');
  for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
});

it('doctor lists all wrong settings and a misspelt setting in one run', async () => {
  const { status, wrong } = await examine({
    LICENSING_PORT: '70000',
    WALLET_PORT: 'many',
    TRUST_PROXY: 'everybody',
    WALLET_DATABSE_URL: 'postgres://x',
  });
  expect(status).toBe(1);
  const says = wrong.map((each) => `${each.level} ${each.says} ${each.advice}`).join('\n');
  expect(says).toContain('problem LICENSING_PORT must be a whole number');
  expect(says).toContain('problem WALLET_PORT must be a whole number');
  expect(says).not.toContain('different ports');
  expect(says).toContain('problem TRUST_PROXY must be IP addresses');
  expect(says).toContain('WALLET_DATABSE_URL is not a setting Did you mean WALLET_DATABASE_URL?');
});

it('doctor names every missing URL and token that production requires', async () => {
  const { status, wrong } = await examine({
    NODE_ENV: 'production',
    PROVIDER_PRIVATE_URL: '',
    PROVIDER_PUBLIC_URL: '',
  });
  const missing = wrong.flatMap(({ says }) => /^(\S+) is required when/.exec(says)?.[1] ?? []);
  expect(status).toBe(1);
  expect(missing).toEqual([
    'LICENSING_PUBLIC_URL',
    'WALLET_PUBLIC_URL',
    'PROVIDER_PRIVATE_URL',
    'PROVIDER_PUBLIC_URL',
    'PROVIDER_API_TOKEN',
  ]);
});

it('doctor reports synchronous_commit = off, and a database with a different master key', async () => {
  const { url } = databases.wallet;
  const name = new URL(url).pathname.slice(1);
  const db = openDb({ url, applicationName: 'plant' });
  await db.query(`alter database ${name} set synchronous_commit = off`);
  await db.query(`insert into service_facts (name, value) values ('master_key', '\\x00')`);
  try {
    const { status, wrong } = await examine();
    expect(status).toBe(1);
    expect(wrong.map(({ check, says }) => `${check}: ${says}`)).toEqual([
      'wallet database: synchronous_commit is off: an acknowledged write can be lost',
      'wallet database: it was sealed under another MASTER_KEY',
    ]);
  } finally {
    await db.query(`alter database ${name} reset synchronous_commit`);
    await db.query('delete from service_facts');
    await db.end();
  }
});

const sound: DatabaseFacts = {
  version: 150_000,
  versionText: '15.0',
  settings: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
  timeZone: 'UTC',
  aheadMs: 0,
  giveOrTakeMs: 5,
  isStandby: false,
  maxConnections: 100,
  migrations: { pending: 0, changed: [], unknown: 0 },
  isDemo: false,
  keyFits: true,
};

it.each<[string, Partial<DatabaseFacts>, string, string]>([
  ['a server with fsync off', { settings: { ...sound.settings, fsync: 'off' } }, 'problem', 'fsync is off'],
  [
    'a server with full_page_writes off',
    { settings: { ...sound.settings, full_page_writes: 'off' } },
    'problem',
    'full_page_writes is off',
  ],
  [
    'a PostgreSQL version that is too old',
    { version: 140_000, versionText: '14.1' },
    'problem',
    '14.1 is too old',
  ],
  ['a standby', { isStandby: true }, 'problem', 'standby'],
  ['too few connections', { maxConnections: 20 }, 'problem', '30 connections'],
  [
    'a changed migration',
    { migrations: { ...sound.migrations, changed: ['0001_x.sql'] } },
    'problem',
    '0001_x.sql',
  ],
  ['pending migrations', { migrations: { ...sound.migrations, pending: 2 } }, 'warning', '2 migrations'],
  [
    'migrations of a newer build',
    { migrations: { ...sound.migrations, unknown: 1 } },
    'warning',
    'newer build',
  ],
  ['the demo in production', { isDemo: true }, 'problem', "demo's data"],
  ['a clock that is 5 s ahead', { aheadMs: 5000 }, 'warning', '5.0 s ahead of ours'],
  ['a clock that is 90 s behind', { aheadMs: -90_000 }, 'problem', '90.0 s behind ours'],
])('doctor reports %s', (_title, fault, level, sentence) => {
  const expected = { service: 'wallet', production: true, wantedConnections: 30 };
  const wrong = evaluateDatabase({ ...sound, ...fault }, expected).filter((each) => each.level !== 'ok');
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toMatchObject({ level, says: expect.stringContaining(sentence) });
  expect(wrong[0]?.advice).toBeTruthy();
});

it.each<[string, Record<string, string>, Partial<Machine>, string, string]>([
  [
    'a full disk',
    {},
    { readDisk: async () => ({ freeBytes: 2 ** 29, totalBytes: 2 ** 40, freeFilesPart: 0.5 }) },
    'problem',
    '0.5 GiB of 1024.0 GiB are free',
  ],
  [
    'a disk with little free space',
    {},
    { readDisk: async () => ({ freeBytes: 2 ** 31, totalBytes: 2 ** 40, freeFilesPart: 0.5 }) },
    'warning',
    '2.0 GiB',
  ],
  ['a low limit of open files', {}, { readOpenFiles: async () => 256 }, 'problem', 'at most 256'],
  ['a Node version that is too old', {}, { nodeVersion: '18.20.0' }, 'problem', 'version 18.20.0'],
  [
    'a master key that is readable text',
    { MASTER_KEY: Buffer.from('correct horse battery staple abc').toString('base64') },
    {},
    'problem',
    'MASTER_KEY does not look random',
  ],
  ['a short token', { METRICS_TOKEN: 'short' }, {}, 'warning', 'METRICS_TOKEN has fewer'],
  [
    'a provider with one of two catalogues',
    { PROVIDER_PRIVATE_URL: 'http://127.0.0.1:1' },
    {},
    'warning',
    'the private catalogue cannot be loaded: the address does not answer',
  ],
])('doctor finds %s', async (_title, changes, machine, level, sentence) => {
  const { status, wrong } = await examine(changes, machine);
  expect(wrong).toMatchObject([{ level, says: expect.stringContaining(sentence) }]);
  expect(status).toBe(level === 'problem' ? 1 : 0);
});

it('doctor finds a provider that does not answer, and a port that another program uses', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const { port } = site.address() as AddressInfo;
  const { status, wrong } = await examine({
    PROVIDER_PRIVATE_URL: nowhere,
    PROVIDER_PUBLIC_URL: nowhere,
    LICENSING_PORT: String(port),
  });
  expect(status).toBe(1);
  expect(wrong.map(({ level, check }) => `${level} ${check}`)).toEqual([
    `problem port ${port}`,
    'problem provider',
    'problem provider',
  ]);
});

it('doctor finds no problem before the first start; it reports secrets that others can read', async () => {
  const dataDir = await mkdtemp(join(folder, 'own-'));
  const { PROVIDER_PRIVATE_URL, PROVIDER_PUBLIC_URL, MASTER_KEY, ...rest } = env;
  const { LICENSING_DATABASE_URL, WALLET_DATABASE_URL, ...ports } = rest;
  const fresh = openEntry({
    env: { ...ports, DATA_DIR: dataDir, PROVIDER_PORT: '1' },
    machine: plenty,
  });
  const before = await fresh.run('doctor');
  expect(before).toMatchObject({ status: 0, err: '' });
  expect(before.out).toContain('does not exist yet; the first start creates it');
  await writeFile(join(dataDir, 'master.key'), randomBytes(32).toString('base64'));
  await chmod(join(dataDir, 'master.key'), 0o644);
  const after = await fresh.run('doctor');
  expect(after.status).toBe(1);
  expect(after.out).toContain('chmod 600');
});

it('doctor accepts random keys as hex and base64, and reports keys with few different bytes', () => {
  for (let i = 0; i < 200; i++) {
    expect(isGuessable(randomBytes(32).toString('base64'))).toBe(false);
    expect(isGuessable(randomBytes(32).toString('hex'))).toBe(false);
  }
  expect(isGuessable('0'.repeat(64))).toBe(true);
  expect(isGuessable('0123456789abcdef'.repeat(4))).toBe(true);
});
