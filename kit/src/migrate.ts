// Forward-only migrations: SQL files applied in order, once, under an advisory lock.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PlainError } from './plain-error.ts';

/** Any fixed number: all processes that migrate one database queue on it. */
const lockKey = 7_268_015_331;
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Where kit's own tables are made; a service names this folder before its own. */
export const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

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

/** Applies what is missing and returns its names. Each file is one transaction: whole or not. */
export async function migrate(options: {
  url: string;
  migrations: readonly Migration[];
  onProgress?: (name: string) => void;
}): Promise<string[]> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'counterfoil migrate',
    connectionTimeoutMillis: 5000,
  });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(
      `create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await readApplied(client);
    const missing: string[] = [];
    for (const migration of options.migrations) {
      const checksum = createHash('sha256').update(migration.sql).digest('hex');
      const before = applied.get(migration.name);
      if (before === undefined) {
        options.onProgress?.(migration.name);
        await apply(client, migration, checksum);
        missing.push(migration.name);
      } else if (before !== checksum) {
        throw new MigrationError(`${migration.name} was changed after it had been applied`);
      }
    }
    return missing;
  } finally {
    await client.end();
  }
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration, checksum: string): Promise<void> {
  try {
    await client.query('begin');
    // A migration that waits long for a lock would stall every query behind it: better to fail.
    await client.query(`set local lock_timeout = '5s'`);
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError(`${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
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
