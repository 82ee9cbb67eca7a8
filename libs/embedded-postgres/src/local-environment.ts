// Lets the commands of a service use the demo's database if the settings name no database. If the demo's
// database is not running, it is started.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Environment } from '@counterfoil/kit/process/config';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import pg from 'pg';
import { startEmbeddedPostgres } from './start.ts';

/**
 * Calls `work` with an environment that names the database and the master key. If `env` names the database,
 * `work` gets `env` unchanged. Otherwise the URL of the database comes from the data folder of `npm start`,
 * and the master key too unless `env` names one. If the PostgreSQL of that folder does not run, it is started
 * for the duration of the work.
 */
export async function withLocalEnvironment<T>(
  options: { env: Environment; database: string; urlName: string },
  work: (env: Environment) => Promise<T>,
): Promise<T> {
  const { env, urlName } = options;
  if (env[urlName] || env[`${urlName}_FILE`]) return work(env);
  const dataDir = resolve(env.DATA_DIR || './data');
  if (!existsSync(join(dataDir, 'runtime.json'))) {
    throw new CommandRefused(
      `There is no database yet: run npm start once, or set ${urlName} and MASTER_KEY.`,
      'unavailable',
    );
  }
  const hasMasterKey = Boolean(env.MASTER_KEY || env.MASTER_KEY_FILE);
  const local = {
    ...env,
    ...(!hasMasterKey && { MASTER_KEY_FILE: join(dataDir, 'master.key') }),
  };
  const running = await findRunning(dataDir, options.database);
  if (running !== undefined) return work({ ...local, [urlName]: running });
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await postgres.ensureDatabase(options.database);
    return await work({ ...local, [urlName]: postgres.url(options.database) });
  } finally {
    await postgres.stop();
  }
}

/**
 * Returns the URL that `npm start` stored in the data folder, or undefined if no database answers at this
 * URL.
 */
async function findRunning(dataDir: string, database: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'runtime.json'), 'utf8').catch(() => '{}');
  const url = (JSON.parse(text) as Record<string, string>)[database];
  if (url === undefined) return undefined;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: deadlineMs(2000) });
  try {
    await client.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}
