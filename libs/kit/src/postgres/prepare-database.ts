// Migrates the database of a service. In production, refuses a database that is not safe for real money.

import type { MasterKey } from '../crypto/secrets.ts';
import type { Logger } from '../observability/logging.ts';
import { PlainError } from '../process/plain-error.ts';
import { type Db, hasTable, openDb } from './db.ts';
import { type Migration, migrate } from './migrate.ts';
import { readPooled } from './pooler.ts';
import { checkMasterKey, isDemo } from './service-facts.ts';

class UnfitDatabaseError extends PlainError {
  override readonly name = 'UnfitDatabaseError';
}

const oldestServerVersion = 150_000;

export async function prepareDatabase(options: {
  url: string;
  /** The URL of the database itself, if `url` is the URL of a pooler. */
  directUrl?: string;
  applicationName: string;
  maxConnections: number;
  migrations: readonly Migration[];
  production: boolean;
  masterKey: MasterKey;
  logger: Logger;
}): Promise<Db> {
  const { logger } = options;
  const db = openDb({
    url: options.url,
    applicationName: options.applicationName,
    maxConnections: options.maxConnections,
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
  });
  try {
    await refuseOldServer(db);
    if (readPooled(options.url).pooled) await reportMissingStatementTimeout(db, logger);
    // The database is checked before the migrations, so that a refused database stays unchanged.
    if (options.production) await refuseUnfit(db);
    await migrate({
      url: options.directUrl ?? options.url,
      migrations: options.migrations,
      onProgress: (name) => logger.info({ migration: name }, 'migrating'),
    });
    await checkMasterKey(db, options.masterKey);
    return db;
  } catch (error) {
    await db.end();
    throw error;
  }
}

async function refuseOldServer(db: Db): Promise<void> {
  const { rows } = await db.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  if ((rows[0]?.version ?? 0) < oldestServerVersion) {
    throw new UnfitDatabaseError('PostgreSQL 15 or later is needed');
  }
}

/**
 * Logs a line if statements through the pooler have no timeout. The service sets a timeout only inside
 * transactions. For other statements, only the role or the pooler can set a timeout.
 */
async function reportMissingStatementTimeout(db: Db, logger: Logger): Promise<void> {
  const { rows } = await db.query<{ deadline: string }>(
    `select current_setting('statement_timeout') as deadline`,
  );
  if (rows[0]?.deadline !== '0') return;
  logger.info('statements behind this pooler have no time limit: set statement_timeout for the role');
}

/** Throws if the database is not safe for production. The error lists all reasons. */
async function refuseUnfit(db: Db): Promise<void> {
  const { rows } = await db.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  );
  const reasons = rows.map((row) => `${row.name} is off: an acknowledged write could be lost`);
  if ((await hasTable(db, 'service_facts')) && (await isDemo(db)))
    reasons.push("it contains the demo's data, whose credentials were printed");
  if (reasons.length === 0) return;
  const sentences = reasons.map((reason) => `\n  - ${reason}`).join('');
  throw new UnfitDatabaseError(`This database is not fit for production:${sentences}`);
}
