// Data of an earlier version for tests of upgrades: the rows that the version wrote and the answers it gave.
import { readFile } from 'node:fs/promises';
import type { App } from '../http/app.ts';
import { openDb, type Tx } from '../postgres/db.ts';
import { migrate, readMigrations } from '../postgres/migrate.ts';
import { createTestDatabase, type TestDatabase, type TestServer } from './databases.ts';

/** All rows of a database, without partitioned tables. */
export interface RecordedRows {
  /** The rows of each table. A table comes after the tables that it refers to. */
  readonly tables: Readonly<Record<string, readonly object[]>>;
  /** The last value of each sequence that was used. */
  readonly sequences: Readonly<Record<string, number>>;
}

export interface RecordedCall {
  /** The name of the caller, which is a key of `callers`. */
  readonly as: string;
  /** The method and the path, for example `GET /api/v1/package`. */
  readonly request: string;
  readonly body?: object;
  readonly status: number;
  /** The answer without `request_id`. */
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface RecordedData extends RecordedRows {
  /** The time at which the last answer was recorded. */
  readonly at: string;
  readonly masterKey: string;
  readonly person: {
    readonly email: string;
    readonly password: string;
    /** The secret of the second factor in hexadecimal. */
    readonly totpSecret: string;
    readonly recoveryCodes: readonly string[];
  };
  /** The path of a download link, and the files of the data folder by their paths. */
  readonly downloadPath?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The headers of each caller. */
  readonly callers: Readonly<Record<string, Record<string, string>>>;
  /** Calls that moved money. */
  readonly writes?: readonly RecordedCall[];
  /** Calls that were made after all writes, in this order. */
  readonly reads: readonly RecordedCall[];
}

export const readRecordedData = async (url: URL): Promise<RecordedData> =>
  JSON.parse(await readFile(url, 'utf8'));

async function inTransaction<T>(url: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = openDb({ url, applicationName: 'recorded data' });
  try {
    return await db.transaction(work);
  } finally {
    await db.end();
  }
}

/** Returns the rows of a database in the form in which `restoreDatabase` inserts them. */
export const recordRows = (url: string): Promise<RecordedRows> => inTransaction(url, readRows);

async function readRows(tx: Tx): Promise<RecordedRows> {
  await tx.query(`set local time zone 'UTC'`);
  const tables: Record<string, object[]> = {};
  for (const table of await listTables(tx)) {
    const { rows } = await tx.query<{ row: string }>(
      `select to_json(t)::text as row from "${table}" t order by t::text collate "C"`,
    );
    if (rows.length > 0) tables[table] = rows.map(({ row }) => JSON.parse(row));
  }
  const { rows } = await tx.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  );
  return { tables, sequences: Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)])) };
}

/** Lists the tables without partitions. A table comes after the tables that it refers to. */
async function listTables(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ name: string; parents: string[] }>(
    `select relname::text as name, array(
       select confrelid::regclass::text from pg_constraint
       where contype = 'f' and conrelid = c.oid and confrelid <> c.oid) as parents
     from pg_class c
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition order by 1`,
  );
  const listed = new Set<string>();
  while (listed.size < rows.length) {
    const isReady = (row: { parents: string[] }) => row.parents.every((each) => listed.has(each));
    const next = rows.find((row) => !listed.has(row.name) && isReady(row));
    if (next === undefined) throw new Error('foreign keys form a circle');
    listed.add(next.name);
  }
  return [...listed];
}

/**
 * Creates a database with the recorded rows. The schema comes from the recorded migrations, whose files are
 * read from the folders of this version. The recorded checksums are restored too. So a later `migrate` throws
 * if a recorded migration was changed.
 */
export async function restoreDatabase(
  server: TestServer,
  data: RecordedData,
  folders: readonly string[],
): Promise<TestDatabase> {
  const applied = new Set(data.tables.schema_migrations?.map((row) => (row as { name: string }).name));
  const migrations = (await readMigrations(folders)).filter(({ name }) => applied.delete(name));
  if (applied.size > 0) throw new Error(`there is no migration ${[...applied].join(', ')}`);
  const database = await createTestDatabase(server);
  await migrate({ url: database.url, migrations });
  await inTransaction(database.url, (tx) => insertRows(tx, data));
  return database;
}

async function insertRows(tx: Tx, { tables, sequences }: RecordedData): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    await tx.query(`delete from "${table}"`);
    await tx.query(
      `insert into "${table}" overriding system value
       select * from json_populate_recordset(null::"${table}", $1::json)`,
      [JSON.stringify(rows)],
    );
  }
  for (const [name, value] of Object.entries(sequences)) {
    await tx.query('select setval($1::text::regclass, $2::bigint)', [name, value]);
  }
}

/** Sends a call as its caller, and returns the answer of this version. */
export async function sendRecorded(
  app: App,
  { callers }: RecordedData,
  { as, request, body }: Pick<RecordedCall, 'as' | 'request' | 'body'>,
): Promise<{ status: number; answer: ReturnType<typeof JSON.parse> }> {
  const [method, url] = request.split(' ') as ['GET' | 'PATCH' | 'POST', string];
  const headers = callers[as];
  if (headers === undefined) throw new Error(`no caller ${as}`);
  const answered = await app.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answered.statusCode, answer: answered.json() };
}
