// The connection pool: it survives lost connections, limits the time of every query, and reads int8 exactly.
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';
import { copyIn } from './copy-in.ts';
import { explainFailure } from './database-unavailable.ts';
import { beginWith, readPooled } from './pooler.ts';

const int8Oid = 20;
const int8ArrayOid = 1016;
const idleInTransactionMs = deadlineMs(10_000);

export { DatabaseUnavailableError } from './database-unavailable.ts';

export interface QueryRequest {
  /**
   * The name of a prepared statement. If the connection goes through a pooler, the name is ignored, because
   * poolers do not support named statements.
   */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Queryable {
  query<Row extends pg.QueryResultRow>(
    request: QueryRequest | string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

declare const insideTransaction: unique symbol;

/**
 * A connection inside a transaction. A function with a `Tx` parameter cannot be called outside a transaction.
 */
export interface Tx extends Queryable {
  readonly [insideTransaction]: true;
  /** Sends rows with the statement COPY … FROM STDIN. */
  copyIn(statement: string, rows: Buffer): Promise<void>;
}

export interface Db extends Queryable {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  end(): Promise<void>;
  readonly connections: () => { total: number; idle: number; waiting: number };
}

interface DbOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly maxConnections?: number;
  readonly queryTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Session settings, such as `jit=off`. If a pooler is used, they are set in each transaction. */
  readonly sessionSettings?: readonly string[];
  readonly onIdleError?: (error: Error) => void;
}

/** Reads int8 as bigint. The driver would return a string, and `+` would join strings without an error. */
const exactTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === int8Oid) return (text: string) => BigInt(text);
    if (oid === int8ArrayOid) {
      const parseTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(oid as never);
      return (text: string) => parseTexts(text).map((t) => (t === null ? null : BigInt(t)));
    }
    return pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};

export function openDb(options: DbOptions): Db {
  const { queryTimeoutMs = deadlineMs(3000), sessionSettings = [] } = options;
  const { url, pooled } = readPooled(options.url);
  const idleLimit = 'idle_in_transaction_session_timeout';
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? deadlineMs(2000),
    // The statement timeout of the server is shorter. This timeout is for a server that does not answer at
    // all.
    query_timeout: queryTimeoutMs + 500,
    keepAlive: true,
    types: exactTypes,
    // A pooler refuses connection settings, because its connections are shared.
    ...(!pooled && {
      statement_timeout: queryTimeoutMs,
      [idleLimit]: idleInTransactionMs,
      options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
    }),
  });
  // Without a listener, a lost idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection can also be lost while it is in use, between two statements or during its release. Without
  // this listener, the error would end the process. The listener ignores the error, because the next
  // statement on the connection reports the loss.
  pool.on('connect', (client) => client.on('error', () => {}));

  const limits = [`statement_timeout = ${queryTimeoutMs}`, `${idleLimit} = ${idleInTransactionMs}`];
  const terms: Terms = {
    named: !pooled,
    begin: pooled ? beginWith([...limits, ...sessionSettings]) : 'begin',
  };
  // Behind a pooler, the session settings apply only inside a transaction, so every statement runs in a
  // transaction. Without the settings, PostgreSQL could choose a plan that exceeds the time limit.
  const isWrapped = pooled && sessionSettings.length > 0;
  return {
    query: (request, values) =>
      isWrapped
        ? transaction(pool, terms, (tx) => tx.query(request, values))
        : run(pool, terms, request, values),
    transaction: (work) => transaction(pool, terms, work),
    end: () => pool.end(),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * The settings that depend on whether a pooler is used: whether named prepared statements work, and the
 * statement that begins a transaction.
 */
interface Terms {
  readonly named: boolean;
  readonly begin: string;
}

async function run<Row extends pg.QueryResultRow>(
  target: pg.Pool | pg.PoolClient,
  { named }: Terms,
  request: QueryRequest | string,
  values?: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  const { name, text, values: own } = typeof request === 'string' ? { text: request } : request;
  const config: pg.QueryConfig = { text, values: [...(own ?? values ?? [])] };
  if (named && name !== undefined) config.name = name;
  try {
    return await target.query<Row>(config);
  } catch (error) {
    throw explainFailure(error);
  }
}

async function transaction<T>(pool: pg.Pool, terms: Terms, work: (tx: Tx) => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw explainFailure(error);
  }
  const tx = {
    query: (request: QueryRequest | string, values?: readonly unknown[]) =>
      run(client, terms, request, values),
    copyIn: (statement: string, rows: Buffer) =>
      copyIn(client, statement, [rows]).catch((error: unknown) => {
        throw explainFailure(error);
      }),
  } as Tx;
  let broken = true;
  try {
    await tx.query(terms.begin);
    const result = await work(tx);
    // After a failed statement, PostgreSQL answers a commit with ROLLBACK and without an error, so the answer
    // is checked.
    const { command } = await tx.query('commit');
    if (command !== 'COMMIT') throw new Error('a failed statement rolled back the transaction');
    broken = false;
    return result;
  } catch (error) {
    broken = isReadOnly(error) || !(await tryRollback(tx));
    throw error;
  } finally {
    // A connection in an unknown state is closed instead of returned to the pool.
    client.release(broken);
  }
}

/** Returns a Db whose transactions are part of the open transaction `tx`. */
export function asPartOf(tx: Tx): Db {
  return {
    query: (request, values) => tx.query(request, values),
    transaction: (work) => work(tx),
    end: async () => {},
    connections: () => ({ total: 1, idle: 0, waiting: 0 }),
  };
}

async function tryRollback(tx: Tx): Promise<boolean> {
  try {
    await tx.query('rollback');
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a write failed because the server has become a standby. The connection is then closed. The next
 * connection can reach the new primary.
 */
const isReadOnly = (error: unknown): boolean =>
  ((error as { cause?: { code?: unknown } } | undefined)?.cause?.code ?? '') === '25006';

export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const text = 'select to_regclass($1) is not null as found';
  const { rows } = await db.query<{ found: boolean }>(text, [name]);
  return rows[0]?.found ?? false;
}

export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === '23505';
