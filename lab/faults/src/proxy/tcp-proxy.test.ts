// Tests the interceptors with a real PostgreSQL and a real HTTP server.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  type CommitCount,
  type CommitOutcome,
  type LossCount,
  loseAnswers,
  spoilCommits,
} from './interceptors.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let database: TestDatabase;
let direct: Db;
let outcome: CommitOutcome = 'pass';
const count: CommitCount = { seen: 0, spoilt: 0 };
let proxy: TcpProxy;

/**
 * Connects through the proxy. A test passes a short timeout only if it expects no answer, because a slow
 * answer could exceed a short timeout.
 */
function throughProxy(queryTimeoutMs = deadlineMs(3000)): Db {
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return openDb({
    url: url.href,
    applicationName: 'proxy test',
    maxConnections: 1,
    queryTimeoutMs,
    connectTimeoutMs: deadlineMs(3000),
  });
}

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  direct = openDb({ url: database.url, applicationName: 'proxy test' });
  await direct.query('create table kept (id text primary key)');
  const { hostname: host, port } = new URL(database.url);
  proxy = await openTcpProxy({
    target: { host, port: Number(port || 5432) },
    interceptor: spoilCommits(() => outcome, count),
  });
});

afterAll(async () => {
  await proxy.stop();
  await direct.end();
  await database.dispose();
});

const isKept = async (id: string) =>
  (await direct.query('select 1 from kept where id = $1', [id])).rows.length === 1;

/** Writes with one statement that commits implicitly, named like the wallet's writes. */
const write = (db: Db, id: string) =>
  db.query({ name: 'write_kept', text: 'insert into kept values ($1)', values: [id] });

const begin = (db: Db, id: string) => db.transaction((tx) => tx.query('insert into kept values ($1)', [id]));

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    () => 'failed',
  );

async function tryWith(next: CommitOutcome, id: string, send: typeof write): Promise<string> {
  const db = throughProxy();
  outcome = next;
  try {
    await db.query('select 1');
    const before = count.spoilt;
    const sent = outcomeOf(send(db, id));
    // With `hang`, no answer comes. Closing the connections ends the wait for the answer.
    if (next === 'hang') {
      await eventually(() => expect(count.spoilt).toBe(before + 1));
      expect(proxy.closeAll()).toBeGreaterThan(0);
    }
    return await sent;
  } finally {
    outcome = 'pass';
    await db.end();
  }
}

it.each([
  ['single statement', write],
  ['transaction', begin as typeof write],
])('the proxy drops or cuts the answer to the commit of a %s after the row is stored', async (kind, send) => {
  expect(await tryWith('pass', `${kind} pass`, send)).toBe('done');
  for (const spoilt of ['hang', 'close', 'cut_answer'] as const) {
    const before = count.spoilt;
    expect(await tryWith(spoilt, `${kind} ${spoilt}`, send)).toBe('failed');
    expect(count.spoilt).toBe(before + 1);
    expect(await isKept(`${kind} ${spoilt}`)).toBe(true);
  }
});

it('the server does not apply a request that the proxy has cut', async () => {
  expect(await tryWith('cut_request', 'half', write)).toBe('failed');
  expect(await isKept('half')).toBe(false);
});

it('the proxy drops neither answers to reads nor answers to writes that PostgreSQL refuses', async () => {
  const db = throughProxy();
  await write(db, 'there');
  outcome = 'close';
  expect((await db.query('select * from kept where id = $1', ['there'])).rows).toHaveLength(1);
  await expect(write(db, 'there')).rejects.toMatchObject({ code: '23505' });
  outcome = 'pass';
  await db.end();
});

it('the proxy forwards nothing in silent mode, and resets or refuses connections on demand', async () => {
  const impatient = throughProxy(300);
  await eventually(() => impatient.query('select 1'));
  proxy.behave({ mode: 'silent' });
  await expect(impatient.query('select 1')).rejects.toThrow(/timeout/);
  proxy.behave({ mode: 'pass' });
  await impatient.end();
  const db = throughProxy();
  await db.query('select 1');
  expect(proxy.closeAll()).toBeGreaterThan(0);
  // This query may use a connection whose end the pool has not noticed yet.
  await outcomeOf(db.query('select 1'));
  await db.query('select 1');
  proxy.behave({ mode: 'refuse' });
  proxy.closeAll();
  await outcomeOf(db.query('select 1'));
  await expect(db.query('select 1')).rejects.toThrow();
  proxy.behave({ mode: 'pass' });
  await db.end();
});

it('the proxy forwards delayed bytes completely and in order', async () => {
  const db = throughProxy();
  proxy.behave({ mode: 'pass', delayMs: 20 });
  const { rows } = await db.query<{ n: number }>('select n from generate_series(1, 20000) as n');
  expect(rows.map((row) => row.n)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  proxy.behave({ mode: 'pass' });
  await db.end();
});

it('the proxy forwards every request, and drops the given share of answers', async () => {
  let arrived = 0;
  let drawn = 0;
  const server: Server = createServer((_request, reply) => {
    arrived++;
    reply.end('{"status":"success"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const losses: LossCount = { answers: 0, lost: 0 };
  const { port } = server.address() as { port: number };
  const lossy = await openTcpProxy({
    target: { host: '127.0.0.1', port },
    // Returns 0, 0.1 … 0.9 repeatedly, so three of ten numbers are below 0.3.
    interceptor: loseAnswers(
      () => 0.3,
      losses,
      () => (drawn++ % 10) / 10,
    ),
  });
  // Closes idle connections at once, so that a delayed client does not use a connection that is closing.
  server.keepAliveTimeout = 0;
  let missed = 0;
  for (let i = 0; i < 100; i++) {
    const answer = fetch(`http://127.0.0.1:${lossy.port}/`, { method: 'POST', body: '{}' });
    if ((await outcomeOf(answer.then((got) => got.text()))) === 'failed') missed++;
  }
  expect(losses).toEqual({ answers: 100, lost: 30 });
  expect({ arrived, missed }).toEqual({ arrived: 100, missed: 30 });
  await lossy.stop();
  server.close();
  await once(server, 'close');
});
