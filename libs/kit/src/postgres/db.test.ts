// The database layer: exact integers, deadlines, lost connections.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { eventually } from '../testing/eventually.ts';
import { DatabaseUnavailableError, type Db, openDb } from './db.ts';
import { markPooled } from './pooler.ts';

let database: TestDatabase;
let db: Db;
const idleErrors: Error[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  db = openDb({
    url: database.url,
    applicationName: 'db test',
    maxConnections: 3,
    onIdleError: (error) => void idleErrors.push(error),
  });
  await db.query('create table things (id bigint primary key, n bigint)');
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

describe('integers in the database', () => {
  it('int8 and int8[] are read as exact bigints, null as null', async () => {
    const { rows } = await db.query(
      `select 9007199254740993::bigint as big, array[1, null, 9223372036854775807]::bigint[] as list,
              null::bigint as nothing, 5::int as small`,
    );
    expect(rows).toEqual([
      { big: 9007199254740993n, list: [1n, null, 9223372036854775807n], nothing: null, small: 5 },
    ]);
  });

  it('bigints are written exactly, alone and in arrays', async () => {
    const { rows } = await db.query('select $1::bigint as one, $2::bigint[] as many', [
      9007199254740993n,
      [9007199254740993n],
    ]);
    expect(rows).toEqual([{ one: 9007199254740993n, many: [9007199254740993n] }]);
  });
});

describe('a transaction', () => {
  it('a transaction rolls back after a failure and leaves the connection usable', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.query('insert into things values (1, 1)');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await db.query('select * from things')).rows).toEqual([]);
    await db.transaction((tx) => tx.query('insert into things values (2, 2)'));
    expect((await db.query('select id from things')).rows).toEqual([{ id: 2n }]);
  });
});

it('a transaction throws if its work ignored a failed statement, because nothing was committed', async () => {
  const work = db.transaction(async (tx) => {
    await tx.query('insert into things values (7, 7)');
    await tx.query('select 1 / 0').catch(() => {});
    return 'done';
  });
  await expect(work).rejects.toThrow('rolled back');
  expect((await db.query('select id from things where id = 7')).rows).toEqual([]);
});

describe('a query or transaction', () => {
  it('a query that exceeds its deadline fails as unavailable', async () => {
    const url = database.url;
    const hurried = openDb({ url, applicationName: 'hurried', queryTimeoutMs: 50 });
    const late = hurried.query('select pg_sleep(600)');
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await hurried.end();
  });

  it('a query fails as unavailable if its backend is terminated, and later queries succeed', async () => {
    const killed = db.query('select pg_terminate_backend(pg_backend_pid())');
    await expect(killed).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await db.query('select 1');
    const other = openDb({ url: database.url, applicationName: 'killer' });
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'db test'`,
    );
    await eventually(() => expect(idleErrors.length).toBeGreaterThan(0));
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await other.end();
  });

  it('a transaction fails if its connection is lost between statements; later queries succeed', async () => {
    const other = openDb({ url: database.url, applicationName: 'killer' });
    const lost = db.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      // The backend sends its termination message before it exits. So the test waits until the backend has
      // exited; the message has then arrived.
      await eventually(async () => {
        const left = await other.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]);
        expect(left.rows).toEqual([]);
      });
      await new Promise((resolve) => setImmediate(resolve));
      await tx.query('select 1');
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await other.end();
  });

  it('a query is reported as unavailable if there is no server', async () => {
    const nowhere = openDb({ url: 'postgres://x:y@127.0.0.1:1/z', applicationName: 'x' });
    await expect(nowhere.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await nowhere.end();
  });

  it('a query is not reported as unavailable if the server refuses its statement', async () => {
    await expect(db.query('select * from nowhere')).rejects.not.toBeInstanceOf(DatabaseUnavailableError);
  });
});

describe('the database layer behind a pooler', () => {
  it('behind a pooler, no statement is named, and settings apply to their own transaction only', async () => {
    const terms = { applicationName: 'pooled test', maxConnections: 1, queryTimeoutMs: 60_000 };
    const pooled = openDb({ ...terms, url: markPooled(database.url) });
    const look = `select current_setting('statement_timeout') as deadline, current_setting('jit') as jit,
      (select count(*)::int from pg_prepared_statements) as prepared`;
    const { rows } = await pooled.query({ name: 'named', text: look });
    expect(rows).toEqual([{ deadline: '0', jit: 'on', prepared: 0 }]);
    const inside = await pooled.transaction((tx) => tx.query({ name: 'named', text: look }));
    expect(inside.rows).toEqual([{ deadline: '1min', jit: 'on', prepared: 0 }]);
    await pooled.end();
    const settings = ['jit=off'];
    const set = openDb({ ...terms, url: markPooled(database.url), sessionSettings: settings });
    const alone = await set.query({ name: 'named', text: look });
    expect(alone.rows).toEqual([{ deadline: '1min', jit: 'off', prepared: 0 }]);
    await set.end();
  });
});
