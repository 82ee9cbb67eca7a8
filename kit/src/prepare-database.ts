// Brings a service's database up to date, and refuses one that must not hold real money.
import { type Db, openDb } from './db.ts';
import { isDemo } from './demo-mark.ts';
import type { Logger } from './logging.ts';
import { type Migration, migrate } from './migrate.ts';
import { PlainError } from './plain-error.ts';

class UnfitDatabaseError extends PlainError {
  override readonly name = 'UnfitDatabaseError';
}

const oldestServerVersion = 150_000;

export async function prepareDatabase(options: {
  url: string;
  applicationName: string;
  maxConnections: number;
  migrations: readonly Migration[];
  production: boolean;
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
    await migrate({
      url: options.url,
      migrations: options.migrations,
      onProgress: (name) => logger.info({ migration: name }, 'migrating'),
    });
    if (options.production) await refuseUnfit(db);
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

/** All reasons at once, as with settings. */
async function refuseUnfit(db: Db): Promise<void> {
  const { rows } = await db.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  );
  const reasons = rows.map((row) => `${row.name} is off: an acknowledged write could be lost`);
  if (await isDemo(db)) reasons.push("it holds the demo's data, whose credentials were printed");
  if (reasons.length === 0) return;
  const sentences = reasons.map((reason) => `\n  - ${reason}`).join('');
  throw new UnfitDatabaseError(`This database is not fit for production:${sentences}`);
}
