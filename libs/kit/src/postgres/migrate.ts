// Forward-only migrations: SQL files that are applied once, in order. Each file takes the migration lock
// anew.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';
import { PlainError } from '../process/plain-error.ts';
import { buildIndexes, isWithoutTransaction } from './build-indexes.ts';
import { readPooled } from './pooler.ts';

/**
 * The key of an advisory lock, which every process takes before it migrates a database. Any fixed number
 * works as the key.
 */
const lockKey = 7_268_015_331;
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;

/** The migrations of kit's tables. A service passes this folder before the folder of its own migrations. */
export const kitMigrations = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const checksumOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

export class MigrationError extends PlainError {
  override readonly name = 'MigrationError';
}

/** Reads all migration files, in the order of the folders. */
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
 * Applies missing migrations and returns their names. Each file is applied in one transaction. The advisory
 * lock is released when that transaction ends. So migrating works through a pooler, and leaves no lock if
 * the process dies. Files that build indexes concurrently are the exception: they run outside the
 * transaction, and it is safe to run them again.
 */
export async function migrate(options: {
  url: string;
  migrations: readonly Migration[];
  onProgress?: (name: string) => void;
  /** The pause before the next attempt, if a file failed because its tables were in use. */
  pauseMs?: number;
  /** The longest wait for the lock of another process. */
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
      const checksum = checksumOf(migration);
      const before = applied.get(migration.name);
      if (before === undefined) {
        options.onProgress?.(migration.name);
        const wanted = { ...migration, checksum };
        const isOurs = await applyLocked(client, wanted, { url, pooled, pauseMs, maxWaitMs });
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

/**
 * Begins a transaction without the time limits of the role. An index build on another connection waits for
 * older snapshots. With `read committed`, this transaction holds no snapshot between two statements.
 */
const beginWithoutDeadlines = `begin isolation level read committed;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/**
 * Begins a transaction that holds the advisory lock. The function tries again and again to get the lock. It
 * does not wait inside PostgreSQL: an index build of the process that holds the lock would wait for the
 * snapshot of the waiting statement, and a lock timeout of the role could end the wait.
 */
async function beginLocked(client: pg.Client, maxWaitMs: number): Promise<void> {
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
      throw new MigrationError(`another process has been migrating this database for ${waited}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function readApplied(client: pg.Client, maxWaitMs: number): Promise<Map<string, string>> {
  // Without the lock, two processes could both find that the table does not exist, and both create it.
  await beginLocked(client, maxWaitMs);
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

/**
 * The number of tries. With the default pause, all tries together take about two minutes. No service holds a
 * table lock for that long.
 */
const maxTries = 60;

/**
 * Applies a file. While a migration waits for the lock of a table, all later queries on the table wait too.
 * So the migration waits at most one second for the lock. It then gives up, lets the other queries run, and
 * tries again.
 */
async function applyLocked(client: pg.Client, wanted: Wanted, terms: Terms): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    await beginLocked(client, terms.maxWaitMs);
    try {
      return await apply(client, wanted, terms);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const isInUse = (error as { code?: unknown }).code === '55P03';
      if (isInUse && !isWithoutTransaction(wanted.sql) && tries < maxTries) {
        await new Promise((resolve) => setTimeout(resolve, terms.pauseMs));
        continue;
      }
      throw new MigrationError(`${wanted.name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

/**
 * Applies a file and ends the transaction that holds the lock. Returns false if another process has already
 * applied the file.
 */
async function apply(client: pg.Client, wanted: Wanted, terms: Terms): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from schema_migrations where name = $1', [wanted.name]);
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

/**
 * Runs the statements of a file in the transaction of `client`. The exception is a file with the line `-- no
 * transaction`: its indexes are built on a separate connection, while the transaction holds only the advisory
 * lock.
 */
async function runFile(client: pg.Client, sql: string, terms: Terms): Promise<void> {
  if (isWithoutTransaction(sql)) {
    if (terms.pooled) throw new Error('it cannot be run through a pooler; set the DIRECT_URL');
    // PostgreSQL keeps the portal of the last statement open, and the index build would wait for the snapshot
    // of that portal. This statement closes the portal.
    await client.query('close all');
    return buildIndexes({ ...terms, sql });
  }
  await client.query(`set local lock_timeout = '1s'`);
  await client.query(sql);
}

/** Returns the migrations of this build that are not applied yet. */
export async function findPendingMigrations(
  db: { query(text: string): Promise<{ rows: unknown[] }> },
  migrations: readonly Migration[],
): Promise<string[]> {
  const { rows } = await db.query('select name from schema_migrations');
  const applied = new Set((rows as { name: string }[]).map((row) => row.name));
  return migrations.map((migration) => migration.name).filter((name) => !applied.has(name));
}
