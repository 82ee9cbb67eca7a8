// The guarantees of the embedded PostgreSQL when its processes are killed.
import { execFileSync } from 'node:child_process';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isPostgresOf } from './postmaster/postmaster-file.ts';
import { insertRow, openStarts, readNotes, running, type Starts } from './testing/starts.ts';

let starts: Starts;

beforeAll(async () => {
  starts = await openStarts();
});

afterEach(() => starts.clear());

afterAll(() => starts.remove());

test('a start replaces a server whose owner was killed, and no commit is lost', async () => {
  const { launch, clusterDir } = starts;
  const first = launch('hold');
  const before = await running(first);
  await insertRow(before.url, 'owner killed');
  await first.kill();
  expect(await isPostgresOf(before.pid, clusterDir)).toBe(true);

  const second = launch('hold');
  const after = await running(second);
  expect(second.events).toContainEqual({
    progress: `Stopping a PostgreSQL that an earlier start left running (process ${before.pid})`,
  });
  expect(after.url).toBe(before.url);
  expect(await isPostgresOf(before.pid, clusterDir)).toBe(false);
  expect(await readNotes(after.url)).toContain('owner killed');
});

test('a start recovers every commit after the owner and the server were killed together', async () => {
  const first = starts.launch('hold');
  const before = await running(first);
  await insertRow(before.url, 'both killed');
  process.kill(before.pid, 'SIGKILL');
  await first.kill();
  expect(await readNotes((await running(starts.launch('hold'))).url)).toContain('both killed');
});

test('one of three concurrent starts succeeds after the owner of the lock was killed', async () => {
  const { launch } = starts;
  const first = launch('hold');
  await first.outcome;
  await first.kill();
  const rivals = [1, 2, 3].map(() => launch('hold'));
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

test('the server ends when its owner ends without stop()', async () => {
  const child = starts.launch('return');
  const { pid } = await running(child);
  await child.ended;
  await eventually(async () => expect(await isPostgresOf(pid, starts.clusterDir)).toBe(false));
});

test('Ctrl-C in the terminal reaches the owner, but not the server', async () => {
  const child = starts.launch('hold');
  const { pid, url } = await running(child);
  const group = child.process.pid ?? 0;
  process.kill(-group, 'SIGINT');
  await eventually(() => expect(child.events).toContainEqual({ said: 'SIGINT' }));
  // The terminal sends a signal to a whole process group, and the server is in a separate group.
  const serverGroup = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' });
  expect(Number(serverGroup)).toBe(pid);
  expect(pid).not.toBe(group);
  await insertRow(url, 'after Ctrl-C');
  expect(await isPostgresOf(pid, starts.clusterDir)).toBe(true);
});
