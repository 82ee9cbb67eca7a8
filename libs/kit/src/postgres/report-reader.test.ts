// Reports are read from a replica only while the replica responds and its lag is small. A header of the
// report then contains the lag.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createMetrics } from '../observability/metrics.ts';
import { captureLog } from '../testing/captured-log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { eventually } from '../testing/eventually.ts';
import { type Db, openDb } from './db.ts';
import { createReportReader } from './report-reader.ts';

let primary: TestDatabase;
let replica: TestDatabase;
/** `one` and `other` are two standbys that share one address, for the tests that call `giveStandbys`. */
let one: TestDatabase;
let other: TestDatabase;
let db: Db;
const registry = createMetrics('test');
const { logger } = captureLog('test');

beforeAll(async () => {
  primary = await createTestDatabase(inject('testServer'));
  replica = await createTestDatabase(inject('testServer'));
  one = await createTestDatabase(inject('testServer'));
  other = await createTestDatabase(inject('testServer'));
  db = openDb({ url: primary.url, applicationName: 'reports test' });
});
afterAll(async () => {
  await db.end();
  await primary.dispose();
  await Promise.all([replica.dispose(), one.dispose(), other.dispose()]);
});

const nameOf = async (source: Db) =>
  (await source.query<{ name: string }>('select current_database() as name')).rows[0]?.name;
const nameIn = (database: TestDatabase) => new URL(database.url).pathname.slice(1);

it('without a replica, a report is read from the primary and has no lag header', async () => {
  const reports = createReportReader({ db, replica: undefined, logger, registry });
  const { result, headers } = await reports.read(nameOf);
  expect([result, headers]).toEqual([nameIn(primary), {}]);
});

it(
  'a report is read from a replica with a small lag, and a header states the lag; ' +
    'if the replica is gone, the report is read from the primary',
  async () => {
    // The replica is another database of the same server. It is not a standby, so its lag is 0.
    const near = { url: replica.url, maxLagMs: 30_000 };
    const reports = createReportReader({ db, replica: near, logger, registry });
    await reports.look();
    const { result, headers } = await reports.read(nameOf);
    expect(result).toBe(nameIn(replica));
    expect(headers).toEqual({ 'x-replica-lag-seconds': expect.stringMatching(/^\d+\.\d$/) });
    expect(await registry.metrics()).toMatch(/^replica_lag_seconds\{.*\} 0/m);

    await replica.drop();
    const again = await reports.read(nameOf);
    expect([again.result, again.headers]).toEqual([nameIn(primary), {}]);
    await reports.look();
    expect((await reports.open()).db).toBe(db);
    expect(await registry.metrics()).toMatch(/^replica_lag_seconds\{.*\} Nan/im);
    await reports.close();
  },
);

/** Opens one address for two databases: successive connections alternate between them. */
async function openByTurns(one: TestDatabase, other: TestDatabase): Promise<string> {
  const { hostname, port } = new URL(one.url);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const isOther = sockets.length % 4 === 2;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
    // The first packet contains the name of the database. For the standby `other`, the proxy replaces this
    // name. Both names have the same length, so the length of the packet stays correct.
    near.once('data', (first: Buffer) => {
      const text = first.toString('latin1');
      far.write(isOther ? text.replace(nameIn(one), nameIn(other)) : text, 'latin1');
      near.pipe(far).pipe(near);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(one.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.href;
}

async function giveStandbys() {
  const near = { url: await openByTurns(one, other), maxLagMs: 30_000 };
  const reports = createReportReader({ db, replica: near, logger, registry: createMetrics('two') });
  onTestFinished(reports.close);
  return { reports };
}

it('all pages of an export are read from one standby', async () => {
  const { reports } = await giveStandbys();
  await reports.look();
  const sources = await Promise.all(Array.from({ length: 3 }, () => reports.open()));
  const seen = sources.map(() => new Set<string | undefined>());
  // The pages of all three exports are read at the same time, in a different order each time, while the
  // lag is measured again.
  for (let page = 0; page < 6; page++) {
    const inTurn = sources.map((_source, i) => (i + page) % sources.length);
    const read = inTurn.map(async (i) => seen[i]?.add(await nameOf(sources[i]?.db ?? db)));
    await Promise.all([...read, reports.look()]);
  }
  for (const source of sources) source.close();
  expect(seen.map((names) => names.size)).toEqual([1, 1, 1]);
  expect(new Set(seen.flatMap((names) => [...names]))).toEqual(new Set([nameIn(one), nameIn(other)]));
});

it('a report is read from the primary while the replica serves the maximum number of reports', async () => {
  const { reports } = await giveStandbys();
  await reports.look();
  const sources = await Promise.all(Array.from({ length: 6 }, () => reports.open()));
  expect(sources.filter((source) => source.db === db)).toHaveLength(2);
  for (const source of sources) source.close();
  await eventually(async () => {
    const again = await reports.open();
    again.close();
    expect(again.db).not.toBe(db);
  });
});

// This test comes last, because one of the two standbys has a large lag afterwards.
it('the lag is measured on the standby that is read, and a standby with a large lag is skipped', async () => {
  const { reports } = await giveStandbys();
  const behind = openDb({ url: other.url, applicationName: 'reports test' });
  await behind.query(
    'create function public.pg_last_wal_replay_lsn() returns pg_lsn language sql as ' +
      `$$ select '0/1'::pg_lsn $$`,
  );
  await behind.query(`alter database ${nameIn(other)} set search_path = public, pg_catalog`);
  await behind.end();
  await reports.look();
  const sources = await Promise.all(Array.from({ length: 4 }, () => reports.open()));
  const seen = new Map<string | undefined, object>();
  for (const source of sources) seen.set(await nameOf(source.db), source.headers);
  for (const source of sources) source.close();
  expect(Object.fromEntries(seen)).toEqual({
    [nameIn(one)]: { 'x-replica-lag-seconds': expect.any(String) },
    [nameIn(primary)]: {},
  });
});
