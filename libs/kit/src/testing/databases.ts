// Test databases: a migrated template per service, which is cloned for test files.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, readMigrations } from '../postgres/migrate.ts';
import { markPooled } from '../postgres/pooler.ts';

export interface TemplateSource {
  readonly name: string;
  readonly folders: readonly string[];
}

export interface TestServer {
  readonly url: string;
  /**
   * True if the test suite started this server. At the end of the run, the suite then deletes the server with
   * all its databases. So the tests do not drop their databases: each drop writes a checkpoint, which takes
   * up to a second.
   */
  readonly isDisposable: boolean;
  readonly templates: Readonly<Record<string, string>>;
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

const unique = (name: string) => `test_${name}_${randomBytes(5).toString('hex')}`;

export async function prepareTemplates(
  url: string,
  sources: readonly TemplateSource[],
  isDisposable: boolean,
): Promise<TestServer> {
  if (isDisposable) await hashPasswordOnce(url);
  const templates: Record<string, string> = {};
  for (const source of sources) {
    const database = unique(`${source.name}_template`);
    await onServer(url, (client) => client.query(`create database ${database}`));
    const migrations = await readMigrations(source.folders);
    await migrate({ url: withDatabase(url, database), migrations });
    templates[source.name] = database;
  }
  return { url, templates, isDisposable };
}

/**
 * Stores the password with one round of hashing instead of 4,096. The tests open more than 2,000 connections,
 * and each of them then takes 5 ms less CPU time.
 */
async function hashPasswordOnce(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await onServer(url, async (client) => {
    await client.query('set scram_iterations = 1');
    await client.query(`alter role ${username} password '${password}'`);
  });
}

export async function dropTemplates(server: TestServer): Promise<void> {
  await onServer(server.url, async (client) => {
    for (const database of Object.values(server.templates)) {
      await client.query(`drop database if exists ${database} with (force)`);
    }
  });
}

export interface TestDatabase {
  readonly url: string;
  /**
   * Ends all connections to the database and makes new connections fail. The database is dropped, or only
   * renamed if the server is disposable.
   */
  drop(): Promise<void>;
  /**
   * Drops the database, unless the database will be deleted together with the server. Call this function at
   * the end of a test file.
   */
  dispose(): Promise<void>;
}

/**
 * Renames a database instead of dropping it: clients no longer find it, and PostgreSQL writes no checkpoint.
 */
async function rename(client: pg.Client, database: string): Promise<void> {
  await client.query(`alter database ${database} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid, 600000) from pg_stat_activity where datname = $1', [
    database,
  ]);
  await client.query(`alter database ${database} rename to gone_${database}`);
}

/** Creates a database as a copy of the template. Without a template name, the database is empty. */
export async function createTestDatabase(server: TestServer, template?: string): Promise<TestDatabase> {
  const database = unique(template ?? 'empty');
  const source = template === undefined ? undefined : server.templates[template];
  if (template !== undefined && source === undefined) throw new Error(`no template ${template}`);
  await onServer(server.url, async (client) => {
    // Two test files may clone the template at the same time, and PostgreSQL refuses to copy a template twice
    // at once. So a lock lets one test file copy at a time.
    await client.query('select pg_advisory_lock(42)');
    await client.query(`create database ${database}${source ? ` template ${source}` : ''}`);
  });
  const drop = () =>
    onServer(server.url, async (client) => {
      if (server.isDisposable) await rename(client, database);
      else await client.query(`drop database if exists ${database} with (force)`);
    });
  // If `TEST_POOLER_URL` is set, tests use the database through the pooler. Databases are created and dropped
  // without the pooler.
  const pooler = process.env.TEST_POOLER_URL;
  return {
    url: pooler ? markPooled(withDatabase(pooler, database)) : withDatabase(server.url, database),
    drop,
    dispose: async () => {
      if (!server.isDisposable) await drop();
    },
  };
}
