// Notifications reach other processes. While a listener has no connection, it repeatedly reports a gap.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { eventually } from '../testing/eventually.ts';
import { type Db, openDb } from './db.ts';
import { listen, notify } from './notifications.ts';
import { markPooled } from './pooler.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  db = openDb({ url: database.url, applicationName: 'notifications test' });
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

const cutOff = (channel: string) =>
  db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
    [`counterfoil listen ${channel}`],
  );

/** Opens a proxy to the server. Once `swallows` is set, the proxy forwards nothing on new connections. */
async function openProxy() {
  const { hostname, port } = new URL(database.url);
  const sockets = new Set<Socket>();
  const proxy = { url: '', swallows: false };
  const server = createServer((near) => {
    sockets.add(near.on('error', () => {}));
    if (proxy.swallows) return;
    const far = connect(Number(port), hostname);
    sockets.add(far.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.url = url.href;
  return proxy;
}

it('notifications reach a listener, and a lost connection is replaced and reported as a gap', async () => {
  const heard: string[] = [];
  let gaps = 0;
  const listener = await listen({
    url: database.url,
    channel: 'Odd "channel"',
    onMessage: (payload) => void heard.push(payload),
    onGap: () => void gaps++,
    // The interval of the checks is longer than this test. A check without a connection would report another
    // gap.
    retryMs: 20,
    askEveryMs: 600_000,
  });
  await notify(db, 'Odd "channel"', 'one');
  await eventually(() => expect(heard).toEqual(['one']));
  await cutOff('Odd "channel"');
  // A gap is reported for the first connection, for its loss, and for the new connection.
  await eventually(() => expect(gaps).toBe(3));
  await notify(db, 'Odd "channel"', 'two');
  await eventually(() => expect(heard).toEqual(['one', 'two']));
  await listener.close();
});

describe('a listener that loses its connection', () => {
  it('a listener that loses its connection reports at once that notifications may be missing', async () => {
    let gaps = 0;
    const listener = await listen({
      url: database.url,
      channel: 'cut',
      onMessage: () => {},
      onGap: () => void gaps++,
      // The listener reports a gap too if it connects again or checks its connection. Both would happen only
      // after the end of the test.
      retryMs: 600_000,
      askEveryMs: 600_000,
    });
    await cutOff('cut');
    await eventually(() => expect(gaps).toBe(2));
    await listener.close();
  });

  it('a listener that loses its connection reports gaps repeatedly until it is connected again', async () => {
    let gaps = 0;
    const listener = await listen({
      url: database.url,
      channel: 'deaf',
      onMessage: () => {},
      onGap: () => void gaps++,
      retryMs: 60_000,
      askEveryMs: 20,
    });
    await cutOff('deaf');
    await eventually(() => expect(gaps).toBeGreaterThan(4));
    await listener.close();
  });

  it('a listener also reports gaps while the server does not answer a new connection', async () => {
    const proxy = await openProxy();
    let gaps = 0;
    const listener = await listen({
      url: proxy.url,
      channel: 'swallowed',
      onMessage: () => {},
      onGap: () => void gaps++,
      retryMs: 0,
      askEveryMs: 20,
    });
    proxy.swallows = true;
    await cutOff('swallowed');
    await eventually(() => expect(gaps).toBeGreaterThan(6));
    await listener.close();
  });
});

it('with the URL of a pooler, a listener reports a gap at every interval', async () => {
  let gaps = 0;
  const listener = await listen({
    url: markPooled(database.url),
    channel: 'pooled',
    onMessage: () => {},
    onGap: () => void gaps++,
    askEveryMs: 20,
  });
  await eventually(() => expect(gaps).toBeGreaterThan(2));
  const { rows } = await db.query(
    `select 1 from pg_stat_activity where application_name = 'counterfoil listen pooled'`,
  );
  expect(rows).toEqual([]);
  await listener.close();
});
