// `wallet distribute` on a database whose Citus is a stand-in: what is asked of it, in which order.
// The stand-in proves the statements, their order and that a run is whole or not at all; it cannot
// prove what Citus makes of them.
import { readFileSync } from 'node:fs';
import { type Db, openDb } from '@counterfoil/kit/db';
import { addDistributeCommand } from '@counterfoil/kit/distribution/distribute-command';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { walletDistribution as distribution } from '../src/distribution.ts';
import { collectHotStatements } from '../src/hot-statements.ts';

const standIn = readFileSync(
  new URL('../../../kit/src/testing/stand-in-citus.sql', import.meta.url),
  'utf8',
);

let database: TestDatabase;
let db: Db;

beforeEach(async () => {
  database = await createTestDatabase(inject('testServer'), 'wallet');
  db = openDb({ url: database.url, applicationName: 'distribute test' });
});

afterEach(async () => {
  await db.end();
  await database.drop();
});

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

it('without the extension it says so, with status 3, and changes nothing', async () => {
  const { said, status, lines } = await run();
  expect(status).toBe(3);
  expect(said).toMatch(/no Citus extension/);
  expect(lines).toEqual([]);
  expect((await run('--dry-run')).status).toBe(3);
});

it('distributes every listed table beside the first, and brings every foreign key back', async () => {
  await db.query(standIn);
  const before = await keysNow();
  const { lines, status } = await run();
  expect(status).toBe(0);
  expect(lines.at(-1)).toBe('All tables are distributed.');
  const [anchor, ...others] = distribution.distributed;
  expect(await calls()).toEqual([
    'reference packages',
    `distributed ${anchor} package_id none`,
    ...others.map((table) => `distributed ${table} package_id ${anchor}`),
  ]);
  expect(await keysNow()).toEqual(before);
});

it('a second run does nothing', async () => {
  await db.query(standIn);
  await run();
  const first = await calls();
  expect((await run()).lines).toEqual(['Nothing was left to do.']);
  expect(await calls()).toEqual(first);
});

it('a dry run prints what a run does, and does not do it', async () => {
  await db.query(standIn);
  const shown = await run('--dry-run');
  expect(await calls()).toEqual([]);
  const done = await run();
  const printed = done.lines.slice(0, -1).map((line) => `${line.replace(/^\[\d+\/\d+\] /, '')};`);
  expect(shown.lines.slice(0, -1)).toEqual(printed);
});

it('a run that fails half-way leaves everything as it was', async () => {
  await db.query(standIn);
  const before = await keysNow();
  await db.query(`create or replace function create_reference_table(given regclass) returns void
    language plpgsql as $$ begin perform 1 / 0; end $$`);
  await expect(run()).rejects.toThrow(/division by zero/);
  expect(await calls()).toEqual([]);
  expect(await keysNow()).toEqual(before);
});

it('a table that a later version adds is distributed by the next run', async () => {
  await db.query(standIn);
  await run();
  await db.query(`delete from stand_in.calls where table_name = 'rounds'::regclass`);
  const { lines } = await run();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("create_distributed_table('rounds'");
});

it('a table that stands otherwise than it should is told, and nothing is run', async () => {
  await db.query(standIn);
  await db.query(`select create_reference_table('journal')`);
  const before = await calls();
  await expect(run()).rejects.toThrow('journal is a reference table and should be distributed');
  expect(await calls()).toEqual(before);
});

it('every statement of the hot path is bound to one package', async () => {
  const { lines, status } = await run('--explain');
  expect(lines.filter((line) => line.startsWith('SPANS'))).toEqual([]);
  expect(status).toBe(0);
  expect(lines.length).toBeGreaterThan(15);
  const names = ['select_package_by_uid', 'select_live_pairs', 'insert_game_session'];
  for (const name of [...names, 'save_game_launch']) expect(lines).toContain(`one  ${name}`);
});
