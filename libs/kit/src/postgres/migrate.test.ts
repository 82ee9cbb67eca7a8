// Migrations are applied once, in order, completely or not at all, by one process at a time.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { eventually } from '../testing/eventually.ts';
import { type Db, openDb } from './db.ts';
import { findPendingMigrations, MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('testServer'));
  db = openDb({ url: database.url, applicationName: 'migrate test' });
});

beforeEach(async () => {
  await db.query('drop schema public cascade; create schema public');
});

afterAll(async () => {
  await db.end();
  await database.dispose();
});

const first = { name: '0001_create_a.sql', sql: 'create table a (id int)' };
const second = { name: '0002_create_b.sql', sql: 'create table b (id int)' };

describe('migrate', () => {
  it('migrate applies missing files once', async () => {
    const { url } = database;
    expect(await migrate({ url, migrations: [first] })).toEqual([first.name]);
    expect(await findPendingMigrations(db, [first, second])).toEqual([second.name]);
    expect(await migrate({ url, migrations: [first, second] })).toEqual([second.name]);
    expect(await migrate({ url, migrations: [first, second] })).toEqual([]);
    expect(await findPendingMigrations(db, [first, second])).toEqual([]);
  });

  it('ten concurrent processes apply each file once', async () => {
    const { url } = database;
    const runs = Array.from({ length: 10 }, () => migrate({ url, migrations: [first, second] }));
    expect((await Promise.all(runs)).flat().sort()).toEqual([first.name, second.name]);
  });

  it('a failing file changes nothing, and later files are not applied', async () => {
    const broken = { name: '0002_break.sql', sql: 'create table c (id int); select 1/0' };
    const run = migrate({ url: database.url, migrations: [first, broken, second] });
    await expect(run).rejects.toThrow('0002_break.sql failed: division by zero');
    const { rows } = await db.query(`select to_regclass('a') as a, to_regclass('c') as c,
      to_regclass('b') as b`);
    expect(rows).toEqual([{ a: 'a', c: null, b: null }]);
  });

  it('migrate refuses a file that was changed after it had been applied', async () => {
    await migrate({ url: database.url, migrations: [first] });
    const changed = { ...first, sql: 'create table a (id bigint)' };
    const run = migrate({ url: database.url, migrations: [changed] });
    await expect(run).rejects.toBeInstanceOf(MigrationError);
  });

  it('a migration that waits for a table lock lets other queries run, and is applied later', async () => {
    await migrate({ url: database.url, migrations: [first] });
    const widen = { name: '0003_widen_a.sql', sql: 'alter table a add column n int' };
    let run: Promise<string[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('select * from a');
      run = migrate({ url: database.url, migrations: [first, widen], pauseMs: 50 });
      await eventually(async () => {
        const { rows } = await db.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database
           where not granted and datname = current_database()`,
        );
        expect(rows[0]?.waiting).toBeGreaterThan(0);
      });
      // This query waits in the lock queue after the migration. It is answered, because the migration gives
      // up its wait for the lock after a second.
      expect((await db.query('select * from a')).rows).toEqual([]);
    });
    expect(await run).toEqual([widen.name]);
  });

  it('migrate waits for another migration, even if the database sets short timeouts', async () => {
    const { url } = database;
    const name = new URL(url).pathname.slice(1);
    await db.query('create table released (id int)');
    await db.query(`alter database "${name}" set lock_timeout = '50ms'`);
    await db.query(`alter database "${name}" set statement_timeout = '2s'`);
    onTestFinished(async () => void (await db.query(`alter database "${name}" reset all`)));
    const sql = `do $$ begin
        while not exists (select from released) loop perform pg_sleep(0.02); end loop;
      end $$`;
    const slow = { name: '0001_wait_long.sql', sql };
    const long = migrate({ url, migrations: [slow] });
    await eventually(async () => {
      const { rows } = await db.query(`select 1 from pg_stat_activity
        where application_name = 'counterfoil migrate' and datname = current_database()
          and query like 'do %' and state = 'active'`);
      expect(rows).toHaveLength(1);
    });
    const impatient = migrate({ url, migrations: [slow], maxWaitMs: 0 });
    await expect(impatient).rejects.toBeInstanceOf(MigrationError);
    const patient = migrate({ url, migrations: [slow, second] });
    await eventually(async () => {
      const { rows } = await db.query(`select 1 from pg_stat_activity
        where application_name = 'counterfoil migrate' and datname = current_database()`);
      expect(rows).toHaveLength(2);
    });
    // Both migrations are already running when this statement starts. The statement runs until the statement
    // timeout of the database ends it. So both migrations run longer than that timeout.
    const hurried = new pg.Client({ connectionString: url });
    await hurried.connect();
    await expect(hurried.query('select pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
    await hurried.end();
    await db.query('insert into released values (1)');
    expect([await long, await patient]).toEqual([[slow.name], [second.name]]);
  });

  it('migrate builds an index while other sessions write, and builds a failed index again', async () => {
    const { url } = database;
    await db.query('create table busy (id int); insert into busy values (1), (1)');
    const sql = `-- Finds them by id.
      -- no transaction
      create unique index concurrently if not exists busy_by_id on busy (id);`;
    const marked = { name: '0003_index_busy.sql', sql: sql.replace(/^ +/gm, '') };
    const migrations = [first, marked];
    await expect(migrate({ url, migrations })).rejects.toThrow('could not create unique index');
    const isValid = async () => {
      const { rows } = await db.query(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('busy_by_id')`,
      );
      return rows;
    };
    expect(await isValid()).toEqual([{ valid: false }]);
    await db.query('truncate busy');
    let runs: Promise<string[][]> | undefined;
    await db.transaction(async (tx) => {
      // The index build waits for this transaction. Meanwhile other connections write, and the second process
      // waits for the migration lock.
      await tx.query('insert into busy values (1)');
      runs = Promise.all([migrate({ url, migrations }), migrate({ url, migrations })]);
      await eventually(async () => {
        const { rows } = await db.query(`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and query like '%index concurrently%'`);
        expect(rows).toHaveLength(1);
      });
      await db.query('insert into busy values (2)');
    });
    expect((await runs)?.flat()).toEqual([marked.name]);
    expect(await isValid()).toEqual([{ valid: true }]);
  });

  it('a migration without a transaction may only build indexes concurrently', async () => {
    const sql = '-- no transaction\ncreate index concurrently if not exists i on a (id); drop table a';
    const bad = { name: '0002_drop_a.sql', sql };
    const run = migrate({ url: database.url, migrations: [first, bad] });
    await expect(run).rejects.toThrow('0002_drop_a.sql failed: without a transaction only');
    expect(await findPendingMigrations(db, [first, bad])).toEqual([bad.name]);
    const { rows } = await db.query(`select to_regclass('a') as a, to_regclass('i') as i`);
    expect(rows).toEqual([{ a: 'a', i: null }]);
  });

  it('migrate ignores migrations of a newer version', async () => {
    await migrate({ url: database.url, migrations: [first, second] });
    expect(await migrate({ url: database.url, migrations: [first] })).toEqual([]);
  });
});
