// Runs migrations that build indexes concurrently, which PostgreSQL does not allow in a transaction.
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';

const mark = /^-- no transaction$/m;
const statement = /^create (?:unique )?index concurrently if not exists ([a-z_][a-z0-9_]*) on /i;

/** Whether a migration has the line `-- no transaction`. */
export const isWithoutTransaction = (sql: string): boolean => mark.test(sql);

/**
 * Returns the statements of the file. Throws for a statement other than `create index concurrently if not
 * exists`.
 */
function readBuilds(sql: string) {
  const bare = sql.replace(/^\s*--.*$/gm, '').split(';');
  const texts = bare.map((part) => part.trim()).filter((part) => part !== '');
  return texts.map((text) => {
    const [, index] = statement.exec(text.replace(/\s+/g, ' ')) ?? [];
    if (index !== undefined) return { index, text };
    throw new Error('without a transaction only "create index concurrently if not exists" is allowed');
  });
}

/**
 * Builds the indexes on a separate connection without a statement timeout, because the time depends on the
 * size of the table. The build waits at most `maxWaitMs` for the locks of other transactions.
 */
export async function buildIndexes(options: { url: string; sql: string; maxWaitMs: number }): Promise<void> {
  const builds = readBuilds(options.sql);
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'counterfoil migrate',
    connectionTimeoutMillis: deadlineMs(5000),
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = ${options.maxWaitMs}`);
    for (const build of builds) await buildIndex(client, build);
  } finally {
    await client.end();
  }
}

/**
 * Builds an index. If an interrupted build left an invalid index, it is dropped first, because it slows
 * writes and serves no query.
 */
async function buildIndex(
  client: pg.Client,
  { index, text }: ReturnType<typeof readBuilds>[number],
): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`);
  await client.query(text);
}
