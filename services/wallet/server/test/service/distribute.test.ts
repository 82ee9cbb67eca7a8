// Runs the command `distribute` on a database with a simulated Citus. The simulation shows which statements
// are sent, in which order, and that a run is atomic. It does not show how Citus executes the statements.
import { readFileSync } from 'node:fs';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { addDistributeCommand } from '@counterfoil/kit/postgres/distribution/distribute-command';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { walletDistribution as distribution } from '../../src/distribution.ts';
import { collectHotStatements } from '../../src/hot-statements.ts';

const standIn = readFileSync(
  new URL('../../../../../libs/kit/src/testing/stand-in-citus.sql', import.meta.url),
  'utf8',
);

let database: TestDatabase;
let db: Db;

async function openDatabase(): Promise<void> {
  database = await createTestDatabase(inject('testServer'), 'wallet');
  db = openDb({ url: database.url, applicationName: 'distribute test' });
}

async function closeDatabase(): Promise<void> {
  await db.end();
  await database.dispose();
}

async function run(...words: string[]) {
  const lines: string[] = [];
  let said = '';
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const program = new Command();
  addDistributeCommand(program, {
    run: (work) => work({ config: { databaseUrl: database.url } }),
    print: (line) => void lines.push(line),
    distribution,
    collectHotStatements,
  });
  try {
    await program.parseAsync(['distribute', ...words], { from: 'user' });
    return { lines, said, status: process.exitCode ?? 0 };
  } finally {
    stderr.mockRestore();
    process.exitCode = 0;
  }
}

const keysNow = async () => {
  const { rows } = await db.query<{ key: string }>(
    `select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as key
     from pg_constraint where contype = 'f' order by 1`,
  );
  return rows.map((row) => row.key);
};

const calls = async () => {
  const { rows } = await db.query<{ call: string }>(
    `select concat_ws(' ', kind, table_name, column_name, beside) as call
     from stand_in.calls order by place`,
  );
  return rows.map((row) => row.call);
};

describe('a database without the Citus extension', () => {
  beforeAll(openDatabase);
  afterAll(closeDatabase);

  it('without the extension, the command exits with status 3 and changes nothing', async () => {
    const before = { keys: await keysNow(), rows: await dumpRows(db) };
    expect(before.keys.length).toBeGreaterThan(10);
    const { said, status, lines } = await run();
    expect(status).toBe(3);
    expect(said).toMatch(/no Citus extension/);
    expect(lines).toEqual([]);
    expect((await run('--dry-run')).status).toBe(3);
    expect({ keys: await keysNow(), rows: await dumpRows(db) }).toEqual(before);
  });

  it('without Citus, --explain finds that every hot statement names one package', async () => {
    const { lines, status } = await run('--explain');
    expect(lines.filter((line) => line.startsWith('SPANS'))).toEqual([]);
    expect(status).toBe(0);
    expect(lines.length).toBeGreaterThan(15);
    const names = ['select_package_by_uid', 'select_live_pairs', 'insert_game_session'];
    for (const name of [...names, 'save_game_launch']) expect(lines).toContain(`one  ${name}`);
  });
});

describe('a database that is distributed', () => {
  let keysBefore: string[];
  let shown: Awaited<ReturnType<typeof run>>;
  let callsOfDryRun: string[];
  let done: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    await openDatabase();
    await db.query(standIn);
    keysBefore = await keysNow();
    shown = await run('--dry-run');
    callsOfDryRun = await calls();
    done = await run();
  });
  afterAll(closeDatabase);

  it('the dry run prints, but does not execute, the statements that distribute the database', () => {
    expect(callsOfDryRun).toEqual([]);
    const printed = done.lines.slice(0, -1).map((line) => `${line.replace(/^\[\d+\/\d+\] /, '')};`);
    expect(shown.lines.slice(0, -1)).toEqual(printed);
  });

  it('every listed table is colocated with the first table, and all foreign keys exist', async () => {
    expect(done.status).toBe(0);
    expect(done.lines.at(-1)).toBe('All tables are distributed.');
    const [anchor, ...others] = distribution.distributed;
    expect(await calls()).toEqual([
      'reference packages',
      `distributed ${anchor} package_id none`,
      ...others.map((table) => `distributed ${table} package_id ${anchor}`),
    ]);
    expect(await keysNow()).toEqual(keysBefore);
  });

  it('a distributed database is not changed by a second run', async () => {
    const first = await calls();
    expect((await run()).lines).toEqual(['All tables were already distributed.']);
    expect(await calls()).toEqual(first);
  });

  it('a new table of a distributed database is distributed by the next run of the command', async () => {
    await db.query(`delete from stand_in.calls where table_name = 'rounds'::regclass`);
    const { lines } = await run();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("create_distributed_table('rounds'");
  });
});

describe('a database that cannot be distributed', () => {
  beforeAll(async () => {
    await openDatabase();
    await db.query(standIn);
  });
  afterAll(closeDatabase);

  it('a database that cannot be distributed is unchanged after a run that failed half-way', async () => {
    const before = await keysNow();
    const name = 'create_reference_table(regclass)';
    const { rows } = await db.query<{ text: string }>(
      `select pg_get_functiondef('${name}'::regprocedure) as text`,
    );
    await db.query(`create or replace function create_reference_table(given regclass) returns void
      language plpgsql as $$ begin perform 1 / 0; end $$`);
    await expect(run()).rejects.toThrow(/division by zero/);
    expect(await calls()).toEqual([]);
    expect(await keysNow()).toEqual(before);
    await db.query(rows[0]?.text ?? '');
  });

  it('a wrongly distributed table is named in the error, and the database is unchanged', async () => {
    await db.query(`select create_reference_table('journal')`);
    const before = await calls();
    await expect(run()).rejects.toThrow('journal is a reference table and should be distributed');
    expect(await calls()).toEqual(before);
  });
});
