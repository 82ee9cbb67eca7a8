// A database with packages, players and a history. The database is reused by later runs, unless `fresh` is
// set.
import { randomBytes } from 'node:crypto';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { migrate, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { migrationFolders } from '@counterfoil/wallet-server/app';
import { createPackage } from '@counterfoil/wallet-server/packages/credentials/issue-package';
import { fillLedger } from '../growth/fill-ledger.ts';
import { masterKeyText } from '../wallet/dataset.ts';

export interface DatasetOptions {
  readonly packages: number;
  /** Number of players in each package. `movements` is per package too. */
  readonly players: number;
  readonly movements: number;
  /** If true, the dataset is created again even if it exists. */
  readonly fresh?: boolean;
}

interface DatasetPackage {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LedgerDataset {
  readonly url: string;
  readonly packages: readonly DatasetPackage[];
  readonly players: number;
  readonly digits: number;
  /** The speed of loading and the size of a movement on disk. Both figures are saved with the dataset. */
  readonly loaded: { readonly perSecond: number; readonly bytesPerMovement: number };
}

interface Server {
  url(database: string): string;
  ensureDatabase(name: string): Promise<void>;
}

const digits = 7;

/** One package of 10,000 players with their opening credits, created for each suite. */
export const youngDataset: DatasetOptions = {
  packages: 1,
  players: 10_000,
  movements: 10_001,
  fresh: true,
};

export async function openLedgerDataset(
  server: Server,
  wish: DatasetOptions,
  say: (line: string) => void,
): Promise<LedgerDataset> {
  const database = `bench_store_${wish.packages}_${wish.players}_${wish.movements}`;
  if (wish.fresh) await dropDatabase(server, database);
  await server.ensureDatabase(database);
  const url = server.url(database);
  await migrate({ url, migrations: await readMigrations(migrationFolders) });
  const db = openDb({ url, applicationName: 'bench store', queryTimeoutMs: 30 * 60_000 });
  try {
    await db.query('create extension if not exists pg_stat_statements');
    await db.query('create table if not exists bench_store (facts jsonb not null)');
    const { rows } = await db.query<{ facts: Omit<LedgerDataset, 'url'> }>('select facts from bench_store');
    if (rows[0]) return { url, ...rows[0].facts };
    const facts = await fill(db, url, wish, say);
    await db.query('insert into bench_store values ($1)', [JSON.stringify(facts)]);
    return { url, ...facts };
  } finally {
    await db.end();
  }
}

async function dropDatabase(server: Server, database: string): Promise<void> {
  const db = openDb({ url: server.url('postgres'), applicationName: 'bench store' });
  try {
    await db.query(`drop database if exists ${database} with (force)`);
  } finally {
    await db.end();
  }
}

async function fill(
  db: Db,
  url: string,
  { packages: count, players, movements }: DatasetOptions,
  say: (line: string) => void,
): Promise<Omit<LedgerDataset, 'url'>> {
  const all = count * movements;
  say(`Loading ${all.toLocaleString('en')} movements of ${count} × ${players} players (once) …`);
  // Only packages of this run are listed. The database may also contain packages of an interrupted run, which
  // are not used.
  const packages: DatasetPackage[] = [];
  const before = await measureBytes(db);
  let seconds = 0;
  for (let i = 0; i < count; i++) {
    const made = await makePackage(db);
    packages.push(made);
    const tag = randomBytes(4).toString('hex');
    const filled = await fillLedger(url, { packageId: made.id, players, movements, digits, tag });
    seconds += filled.seconds;
  }
  const perSecond = all / seconds;
  const bytesPerMovement = ((await measureBytes(db)) - before) / all;
  say(`  ${Math.round(perSecond).toLocaleString('en')} movements/s; now vacuum and checkpoint …`);
  await db.query('vacuum analyze');
  await db.query('checkpoint');
  return { packages, players, digits, loaded: { perSecond, bytesPerMovement } };
}

async function makePackage(db: Db): Promise<DatasetPackage> {
  const wanted = { name: 'Bench', currency: 'EUR', state: 'approved', domains: [] } as const;
  const { id, uid, caller } = await db.transaction((tx) =>
    createPackage(tx, parseMasterKey(masterKeyText), wanted),
  );
  const headers = {
    'content-type': 'application/json',
    'x-uid': uid,
    'x-api-key': caller.apiKey,
    'x-api-secret': caller.apiSecret,
  };
  return { id, headers };
}

/** Returns the bytes of the tables `journal` and `journal_notes` on disk, including their indexes. */
export async function measureBytes(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: bigint }>(
    `select pg_total_relation_size('journal') + pg_total_relation_size('journal_notes') as bytes`,
  );
  return Number(rows[0]?.bytes ?? 0n);
}
