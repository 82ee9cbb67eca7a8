// Guarantees of the embedded PostgreSQL when processes are killed at bad moments.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isPostgresOf } from './is-postgres-of.ts';
import {
  type Child,
  compileLauncher,
  linkModules,
  makeOpenFolder,
  removeFolder,
  startChild,
} from './test-child.ts';

let folder: string;
let launcher: string;
let dataDir: string;
let clusterDir: string;
const children: Child[] = [];

beforeAll(async () => {
  folder = await makeOpenFolder();
  launcher = await compileLauncher(join(folder, 'launcher'));
  await linkModules(launcher);
  dataDir = join(folder, 'data');
  clusterDir = join(dataDir, 'postgres');
  await finish(launch('stop'));
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await finish(launch('stop'));
});

afterAll(() => removeFolder(folder));

function launch(afterwards: 'hold' | 'stop' | 'return', path = dataDir): Child {
  const child = startChild({ launcher, dataDir: path, afterwards });
  children.push(child);
  return child;
}

async function finish(child: Child): Promise<void> {
  await running(child);
  await child.ended;
}

async function running(child: Child): Promise<{ pid: number; url: string }> {
  const { pid, url, failure } = await child.outcome;
  if (pid === undefined || url === undefined) throw new Error(failure);
  return { pid, url };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function insertRow(url: string, note: string): Promise<void> {
  const client = await connect(url);
  await client.query('create table if not exists kept (note text)');
  await client.query('insert into kept values ($1)', [note]);
  await client.end();
}

async function readNotes(url: string): Promise<string[]> {
  const client = await connect(url);
  const { rows } = await client.query('select note from kept');
  await client.end();
  return rows.map((row) => row.note);
}

test('a server whose owner was killed is stopped and started anew, with every commit', async () => {
  const first = launch('hold');
  const before = await running(first);
  await insertRow(before.url, 'owner killed');
  await first.kill();
  expect(await isPostgresOf(before.pid, clusterDir)).toBe(true);

  const second = launch('hold');
  const after = await running(second);
  expect(second.events).toContainEqual({
    progress: `Stopping a PostgreSQL that was left behind (process ${before.pid})`,
  });
  expect(after.url).toBe(before.url);
  expect(await isPostgresOf(before.pid, clusterDir)).toBe(false);
  expect(await readNotes(after.url)).toContain('owner killed');
});

test('owner and server killed together: recovery brings every commit back', async () => {
  const first = launch('hold');
  const before = await running(first);
  await insertRow(before.url, 'both killed');
  process.kill(before.pid, 'SIGKILL');
  await first.kill();
  expect(await readNotes((await running(launch('hold'))).url)).toContain('both killed');
});

test('a backend that computes on without its server is ended at the next start', async () => {
  const first = launch('hold');
  const before = await running(first);
  const client = await connect(before.url);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  client.query('do $$ begin loop end loop; end $$').catch(() => undefined);
  await sleep(100);
  process.kill(before.pid, 'SIGKILL');
  await first.kill();
  expect(await isPostgresOf(rows[0].pid, clusterDir)).toBe(true);
  await running(launch('hold'));
  expect(await isPostgresOf(rows[0].pid, clusterDir)).toBe(false);
});

test('an unrelated process that got the id of a dead server is left alone', async () => {
  const { uid, gid } = await stat(clusterDir);
  const first = launch('hold');
  const { pid } = await running(first);
  process.kill(pid, 'SIGKILL');
  await first.kill();
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' });
  await once(stranger, 'spawn');
  const path = join(clusterDir, 'postmaster.pid');
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [stranger.pid, ...lines.slice(1)].join('\n'));
  await running(launch('hold'));
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  stranger.kill();
});

test.each(['', 'garbage\n'])(
  'a postmaster.pid that a power cut left as %j does no harm',
  async (text) => {
    await writeFile(join(clusterDir, 'postmaster.pid'), text);
    await running(launch('hold'));
  },
);

test('of several starts at once on a folder with a dead lock exactly one wins', async () => {
  const first = launch('hold');
  await first.outcome;
  await first.kill();
  const rivals = [1, 2, 3, 4, 5].map(() => launch('hold'));
  const outcomes = await Promise.all(rivals.map((rival) => rival.outcome));
  expect(outcomes.filter(({ url }) => url !== undefined)).toHaveLength(1);
  const winner = rivals[outcomes.findIndex(({ url }) => url !== undefined)];
  for (const { name, failure } of outcomes.filter(({ url }) => url === undefined)) {
    expect(name).toBe('DataDirInUseError');
    expect(failure).toContain('is in use by another Counterfoil (process');
  }
  const late = await launch('stop').outcome;
  expect(late.failure).toContain(`(process ${winner?.process.pid})`);
});

test('a first start killed at any moment of initdb is followed by a whole one', async () => {
  for (const delayMs of [0, 100, 200]) {
    const fresh = join(folder, `fresh-${delayMs}`);
    const first = launch('hold', fresh);
    await expect
      .poll(() => readdir(fresh).catch(() => []))
      .toContainEqual(expect.stringMatching(/^postgres-unfinished-/));
    await sleep(delayMs);
    await first.kill();
    if (delayMs === 0) expect(await readdir(fresh)).not.toContain('postgres');
    await finish(launch('stop', fresh));
    const names = await readdir(fresh);
    expect(names.filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(names).toContain('postgres');
  }
});

test('an owner that ends without stop() takes the server with it', async () => {
  const child = launch('return');
  const { pid } = await running(child);
  await child.ended;
  await expect.poll(() => isPostgresOf(pid, clusterDir)).toBe(false);
});

test("the terminal's Ctrl-C reaches the owner only", async () => {
  const child = launch('hold');
  const { pid, url } = await running(child);
  process.kill(-(child.process.pid ?? 0), 'SIGINT');
  await expect.poll(() => child.events).toContainEqual({ said: 'SIGINT' });
  await sleep(100);
  await insertRow(url, 'after Ctrl-C');
  expect(await isPostgresOf(pid, clusterDir)).toBe(true);
});
