// Brings a service's database up to date, and refuses one that must not hold real money.

import type { MasterKey } from '../crypto/secrets.ts';
import type { Logger } from '../observability/logging.ts';
import { PlainError } from '../process/plain-error.ts';
import { type Db, openDb } from './db.ts';
import { type Migration, migrate } from './migrate.ts';
import { readPooled } from './pooler.ts';
import { checkMasterKey, isDemo } from './service-facts.ts';

class UnfitDatabaseError extends PlainError {
  override readonly name = 'UnfitDatabaseError';
}

const oldestServerVersion = 150_000;

export async function prepareDatabase(options: {
  url: string;
  /** Around a pooler, where there is one. */
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
    // Before anything is changed: a database that is refused is left as it was.
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

async function hasFacts(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select to_regclass('service_facts') is not null as found`,
  );
  return rows[0]?.found ?? false;
}

async function refuseOldServer(db: Db): Promise<void> {
  const { rows } = await db.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  if ((rows[0]?.version ?? 0) < oldestServerVersion) {
    throw new UnfitDatabaseError('PostgreSQL 15 or later is needed');
  }
}

/** Behind a pooler the deadline of a single statement is the role's or the pooler's to set. */
async function reportMissingStatementTimeout(db: Db, logger: Logger): Promise<void> {
  const { rows } = await db.query<{ deadline: string }>(
    `select current_setting('statement_timeout') as deadline`,
  );
  if (rows[0]?.deadline !== '0') return;
  logger.info('behind this pooler statements have no deadline: set statement_timeout for the role');
}

/** All reasons at once, as with settings. */
async function refuseUnfit(db: Db): Promise<void> {
  const { rows } = await db.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  );
  const reasons = rows.map((row) => `${row.name} is off: an acknowledged write could be lost`);
  if ((await hasFacts(db)) && (await isDemo(db)))
    reasons.push("it holds the demo's data, whose credentials were printed");
  if (reasons.length === 0) return;
  const sentences = reasons.map((reason) => `\n  - ${reason}`).join('');
  throw new UnfitDatabaseError(`This database is not fit for production:${sentences}`);
}
