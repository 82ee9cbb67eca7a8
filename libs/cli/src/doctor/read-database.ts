// Reads what the doctor wants to know of a database, in transactions that can write nothing.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, hasTable, openDb } from '@counterfoil/kit/postgres/db';
import { checksumOf, type Migration, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { isDemo, isSealedUnder } from '@counterfoil/kit/postgres/service-facts';

export interface DatabaseFacts {
  readonly version: number;
  readonly versionText: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly timeZone: string;
  /** How far its clock is ahead of ours, give or take. */
  readonly aheadMs: number;
  readonly giveOrTakeMs: number;
  readonly isStandby: boolean;
  readonly connections: { readonly max: number; readonly used: number };
  readonly migrations: {
    readonly pending: number;
    readonly changed: readonly string[];
    /** Applied, and unknown to this build: a newer one was here. */
    readonly unknown: number;
  };
  readonly isDemo: boolean;
  /** Undefined where the database has seen no key yet, or none was given. */
  readonly keyFits: boolean | undefined;
}

export async function readDatabase(options: {
  url: string;
  migrationFolders: readonly string[];
  masterKey: MasterKey | undefined;
}): Promise<DatabaseFacts> {
  const db = openDb({
    url: options.url,
    applicationName: 'counterfoil doctor',
    maxConnections: 1,
    sessionSettings: ['default_transaction_read_only=on'],
  });
  try {
    const server = await readServer(db);
    const migrations = await readApplied(db, await readMigrations(options.migrationFolders));
    const hasFacts = await hasTable(db, 'service_facts');
    const { masterKey } = options;
    return {
      ...server,
      migrations,
      isDemo: hasFacts && (await isDemo(db)),
      keyFits: hasFacts && masterKey ? await isSealedUnder(db, masterKey) : undefined,
    };
  } finally {
    await db.end();
  }
}

interface ServerRow {
  version: number;
  version_text: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  time_zone: string;
  clock: Date;
  standby: boolean;
  max_connections: number;
  used_connections: number;
}

async function readServer(db: Db) {
  // The first statement opens the connection; the clock is read by one that takes no longer than it must.
  await db.query('select 1');
  const before = Date.now();
  const { rows } = await db.query<ServerRow>(
    `select clock_timestamp() as clock, current_setting('server_version_num')::int as version,
       current_setting('server_version') as version_text, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('TimeZone') as time_zone, pg_is_in_recovery() as standby,
       current_setting('max_connections')::int as max_connections,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
         as used_connections`,
  );
  const after = Date.now();
  const row = rows[0] as ServerRow;
  const { fsync, full_page_writes, synchronous_commit } = row;
  return {
    version: row.version,
    versionText: row.version_text,
    settings: { fsync, full_page_writes, synchronous_commit },
    timeZone: row.time_zone,
    aheadMs: row.clock.getTime() - (before + after) / 2,
    giveOrTakeMs: (after - before) / 2,
    isStandby: row.standby,
    connections: { max: row.max_connections, used: row.used_connections },
  };
}

async function readApplied(db: Db, wanted: readonly Migration[]) {
  if (!(await hasTable(db, 'schema_migrations'))) {
    return { pending: wanted.length, changed: [], unknown: 0 };
  }
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  return {
    pending: wanted.filter(({ name }) => !applied.has(name)).length,
    changed: wanted
      .filter((each) => applied.has(each.name) && applied.get(each.name) !== checksumOf(each))
      .map(({ name }) => name),
    unknown: rows.filter(({ name }) => !wanted.some((each) => each.name === name)).length,
  };
}
