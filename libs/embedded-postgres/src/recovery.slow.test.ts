// The embedded PostgreSQL recovers from broken pid files, reused process ids and kills during initdb.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isPostgresOf } from './postmaster/postmaster-file.ts';
import { hasBegun, killFirstStart, maxAttempts } from './testing/kill-first-start.ts';
import { connect, finish, insertRow, openStarts, running, type Starts } from './testing/starts.ts';

let starts: Starts;

beforeAll(async () => {
  starts = await openStarts();
});

afterEach(() => starts.clear());

afterAll(() => starts.remove());

test('the next start ends a backend that outlived its killed server', async () => {
  const { launch, clusterDir } = starts;
  const first = launch('hold');
  const before = await running(first);
  const [client, watcher] = [await connect(before.url), await connect(before.url)];
  const { rows } = await client.query('select pg_backend_pid() as pid');
  client.query('do $$ begin loop end loop; end $$').catch(() => undefined);
  await eventually(async () => {
    const active = await watcher.query(
      `select 1 from pg_stat_activity where pid = $1 and state = 'active' and query like 'do %'`,
      [rows[0].pid],
    );
    expect(active.rows).toHaveLength(1);
  });
  process.kill(before.pid, 'SIGKILL');
  await first.kill();
  expect(await isPostgresOf(rows[0].pid, clusterDir)).toBe(true);
  await running(launch('hold'));
  expect(await isPostgresOf(rows[0].pid, clusterDir)).toBe(false);
});

test('a start does not signal an unrelated process that got the id of a dead server', async () => {
  const { launch, clusterDir } = starts;
  const { uid, gid } = await stat(clusterDir);
  const first = launch('hold');
  const { pid } = await running(first);
  process.kill(pid, 'SIGKILL');
  await first.kill();
  const stranger = spawn('sleep', ['86400'], { uid, gid, cwd: '/' });
  await once(stranger, 'spawn');
  const path = join(clusterDir, 'postmaster.pid');
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [stranger.pid, ...lines.slice(1)].join('\n'));
  await running(launch('hold'));
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  stranger.kill();
});

test.each(['', 'garbage\n'])(
  'the server starts although a power cut left %j in postmaster.pid',
  async (text) => {
    await writeFile(join(starts.clusterDir, 'postmaster.pid'), text);
    await running(starts.launch('hold'));
  },
);

test.each(['password', 'cluster/PG_VERSION', 'cluster/base/4'])(
  'a second start creates a complete cluster if the first start was killed as soon as %s existed',
  async (moment) => {
    await killFirstStart(starts, {
      moment,
      folder: join(starts.folder, `fresh-${moment.replaceAll('/', '-')}`),
    });
  },
);

test('the server starts although an initdb whose parent was killed is still running', async () => {
  for (let attempt = 1, isWhole = true; isWhole; attempt++) {
    expect(attempt).toBeLessThanOrEqual(maxAttempts);
    const fresh = join(starts.folder, `outlived-${attempt}`);
    const first = starts.launch('hold', fresh);
    await eventually(async () => expect(await hasBegun(fresh, '')).toBe(true));
    await first.kill();
    isWhole = (await readdir(fresh)).includes('postgres');
    await finish(starts.launch('stop', fresh));
    const again = await running(starts.launch('hold', fresh));
    await insertRow(again.url, 'whole');
  }
});
