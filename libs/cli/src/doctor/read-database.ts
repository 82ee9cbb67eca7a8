// Reads the facts of a database for the doctor, in read-only transactions.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, hasTable, openDb } from '@counterfoil/kit/postgres/db';
import { checksumOf, type Migration, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { isDemo, isSealedUnder } from '@counterfoil/kit/postgres/service-facts';

export type DatabaseFacts = Awaited<ReturnType<typeof readDatabase>>;

export async function readDatabase(options: {
  url: string;
  migrationFolders: readonly string[];
  masterKey: MasterKey | undefined;
}) {
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
      /**
       * Whether the given master key is the master key of the database. The value is undefined if no key is
       * given, or if the database has no master key yet.
       */
      keyFits: hasFacts && masterKey ? await isSealedUnder(db, masterKey) : undefined,
    };
  } finally {
    await db.end();
  }
}

interface ServerRow {
  readonly clock: Date;
  readonly version: number;
  readonly versionText: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly timeZone: string;
  readonly isStandby: boolean;
  readonly maxConnections: number;
}

/**
 * Reads the facts of the server. `aheadMs` says how far the clock of the database is ahead of the clock of
 * this machine, and `giveOrTakeMs` is the maximum error of `aheadMs`.
 */
async function readServer(db: Db) {
  // The first statement opens the connection, which takes some time. The second statement reads the clock
  // without this delay.
  await db.query('select 1');
  const before = Date.now();
  const { rows } = await db.query<ServerRow>(
    `select clock_timestamp() as clock, current_setting('server_version_num')::int as version,
       current_setting('server_version') as "versionText", pg_is_in_recovery() as "isStandby",
       current_setting('TimeZone') as "timeZone",
       current_setting('max_connections')::int as "maxConnections",
       (select json_object_agg(setting, current_setting(setting)) from unnest($1::text[]) as setting)
         as settings`,
    [['fsync', 'full_page_writes', 'synchronous_commit']],
  );
  const after = Date.now();
  const { clock, ...server } = rows[0] as ServerRow;
  const aheadMs = clock.getTime() - (before + after) / 2;
  return { ...server, aheadMs, giveOrTakeMs: (after - before) / 2 };
}

async function readApplied(db: Db, wanted: readonly Migration[]) {
  if (!(await hasTable(db, 'schema_migrations'))) {
    return { pending: wanted.length, changed: [] as string[], unknown: 0 };
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
    /** The number of applied migrations that this build does not have, because a newer build applied them. */
    unknown: rows.filter(({ name }) => !wanted.some((each) => each.name === name)).length,
  };
}
