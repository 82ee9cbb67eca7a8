// Forward-only migrations: SQL files applied in order, once, each under a lock of its own.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';
import { PlainError } from '../process/plain-error.ts';
import { buildIndexes, isWithoutTransaction } from './build-indexes.ts';
import { readPooled } from './pooler.ts';

/** Any fixed number: all processes that migrate one database queue on it. */
const lockKey = 7_268_015_331;
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Where kit's own tables are made; a service names this folder before its own. */
export const kitMigrations = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export class MigrationError extends PlainError {
  override readonly name = 'MigrationError';
}

/** All files of the folders, folder by folder; `kit` comes before the service that stands on it. */
export async function readMigrations(folders: readonly string[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      if (!fileName.test(name)) throw new MigrationError(`${name} is not named 0001_verb_noun.sql`);
      migrations.push({ name, sql: await readFile(join(folder, name), 'utf8') });
    }
  }
  const names = new Set(migrations.map((migration) => migration.name));
  if (names.size !== migrations.length) throw new MigrationError('two migrations share one name');
  return migrations;
}

/**
 * Applies what is missing and returns its names. Each file is one transaction, whole or not, under a
 * lock that ends with it: so it holds behind a pooler too, and a process that dies leaves none. Only
 * files of indexes that are built concurrently run beside it, and may be repeated.
 */
export async function migrate(options: {
  url: string;
  migrations: readonly Migration[];
  onProgress?: (name: string) => void;
  /** How long to wait before a file is tried again that found its tables in use. */
  pauseMs?: number;
  /** How long another process may have the turn before this one gives up. */
  maxWaitMs?: number;
}): Promise<string[]> {
  const { pauseMs = 1000, maxWaitMs = 600_000 } = options;
  const { url, pooled } = readPooled(options.url);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'counterfoil migrate',
    connectionTimeoutMillis: deadlineMs(5000),
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const applied = await readApplied(client, maxWaitMs);
    const missing: string[] = [];
    for (const migration of options.migrations) {
      const checksum = createHash('sha256').update(migration.sql).digest('hex');
      const before = applied.get(migration.name);
      if (before === undefined) {
        options.onProgress?.(migration.name);
        const wanted = { ...migration, checksum };
        const isOurs = await applyInTurn(client, wanted, { url, pooled, pauseMs, maxWaitMs });
        if (isOurs) missing.push(wanted.name);
      } else if (before !== checksum) {
        throw new MigrationError(`${migration.name} was changed after it had been applied`);
      }
    }
    return missing;
  } finally {
    await client.end();
  }
}

/** A role may have deadlines; a migration has none. Nor has it a snapshot between two statements. */
const beginWithoutDeadlines = `begin isolation level read committed;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/**
 * Begins a transaction that has the turn; its end gives the turn back. The lock is asked for again
 * and again: a wait inside PostgreSQL would be ended by the role's deadlines for locks and statements.
 */
async function beginInTurn(client: pg.Client, maxWaitMs: number): Promise<void> {
  const lastMs = performance.now() + maxWaitMs;
  for (;;) {
    await client.query(beginWithoutDeadlines);
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${lockKey}) as taken`,
    );
    if (rows[0]?.taken) return;
    await client.query('rollback');
    if (performance.now() > lastMs) {
      const waited = `${Math.round(maxWaitMs / 1000)} s`;
      throw new MigrationError(`another process is migrating this database, for ${waited} now`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function readApplied(client: pg.Client, maxWaitMs: number): Promise<Map<string, string>> {
  // Two at once would both find no table and make one: the lock lets the second find the first's.
  await beginInTurn(client, maxWaitMs);
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key, checksum text not null, applied_at timestamptz not null default now());
     commit`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

interface Wanted extends Migration {
  readonly checksum: string;
}

interface Terms {
  readonly url: string;
  readonly pooled: boolean;
  readonly pauseMs: number;
  readonly maxWaitMs: number;
}

/** Long enough to outlast what a service does by itself; a longer proof or export is waited out. */
const maxTries = 60;

/**
 * Every query on a table queues behind a migration that waits for it. So a file waits one second at
 * most, lets the others pass, and tries again.
 */
async function applyInTurn(client: pg.Client, wanted: Wanted, terms: Terms): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    await beginInTurn(client, terms.maxWaitMs);
    try {
      return await apply(client, wanted, terms);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const isInUse = (error as { code?: unknown }).code === '55P03';
      if (isInUse && !isWithoutTransaction(wanted.sql) && tries < maxTries) {
        await new Promise((resolve) => setTimeout(resolve, terms.pauseMs));
        continue;
      }
      throw new MigrationError(`${wanted.name} failed: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** Ends the transaction that has the turn. False where another process has applied it meanwhile. */
async function apply(client: pg.Client, wanted: Wanted, terms: Terms): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from schema_migrations where name = $1', [
    wanted.name,
  ]);
  if (rowCount === 0) {
    await runFile(client, wanted.sql, terms);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      wanted.name,
      wanted.checksum,
    ]);
  }
  await client.query('commit');
  return rowCount === 0;
}

/** Indexes are built beside the transaction, which keeps the turn and nothing that they wait for. */
async function runFile(client: pg.Client, sql: string, terms: Terms): Promise<void> {
  if (isWithoutTransaction(sql)) {
    if (terms.pooled) throw new Error('it cannot be run through a pooler; give the DIRECT_URL');
    // The last statement's portal is open still, with a snapshot that the build would wait for.
    await client.query('close all');
    return buildIndexes({ ...terms, sql });
  }
  await client.query(`set local lock_timeout = '1s'`);
  await client.query(sql);
}

/** The names that this build knows and the database lacks; empty means ready to serve. */
export async function findPendingMigrations(
  db: { query(text: string): Promise<{ rows: unknown[] }> },
  migrations: readonly Migration[],
): Promise<string[]> {
  const { rows } = await db.query('select name from schema_migrations');
  const applied = new Set((rows as { name: string }[]).map((row) => row.name));
  return migrations.map((migration) => migration.name).filter((name) => !applied.has(name));
}
