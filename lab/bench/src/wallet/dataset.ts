// The datasets for the wallet, created for each run: packages with 10,000 funded players each.
import { randomBytes } from 'node:crypto';
import type { EmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { migrate, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { migrationFolders } from '@counterfoil/wallet-server/app';
import { createPackage } from '@counterfoil/wallet-server/packages/credentials/issue-package';
import { fillLedger, namePlayer as nameAny } from '../growth/fill-ledger.ts';
import { createRivals } from './rivals/rivals.ts';

/** A fixed master key is safe here, because the dataset contains nothing confidential. */
export const masterKeyText = Buffer.alloc(32, 7).toString('base64');

export const playerCount = 10_000;
const database = 'bench_wallet';
const digits = 5;

export const namePlayer = (n: number): string => nameAny(n, digits);

/** A database with one package of funded players. */
export interface PackageDataset {
  readonly url: string;
  /** The package for calls over HTTP; the rivals have a copy in their own tables. */
  readonly packageId: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Dataset extends PackageDataset {
  /** The package for measurements of the engine without HTTP. No other measurement writes to its ledger. */
  readonly enginePackageId: number;
}

export async function createPackageDataset(
  postgres: EmbeddedPostgres,
  say: (line: string) => void,
): Promise<PackageDataset> {
  say(`Creating a package of ${playerCount.toLocaleString('en')} players in a fresh database …`);
  const server = openDb({ url: postgres.url('postgres'), applicationName: 'bench stock' });
  try {
    await server.query(`drop database if exists ${database} with (force)`);
  } finally {
    await server.end();
  }
  await postgres.ensureDatabase(database);
  const url = postgres.url(database);
  await migrate({ url, migrations: await readMigrations(migrationFolders) });
  return addPackageDataset(url);
}

/** Adds a package of funded players to the database of another dataset. */
export async function addPackageDataset(url: string): Promise<PackageDataset> {
  const db = openDb({ url, applicationName: 'bench stock', queryTimeoutMs: 120_000 });
  try {
    const { id: packageId, ...credentials } = await makePackage(db, url);
    await db.query('vacuum analyze');
    return { url, packageId, headers: presentHeaders(credentials) };
  } finally {
    await db.end();
  }
}

export async function createDataset(
  postgres: EmbeddedPostgres,
  say: (line: string) => void,
): Promise<Dataset> {
  const made = await createPackageDataset(postgres, say);
  const db = openDb({ url: made.url, applicationName: 'bench stock', queryTimeoutMs: 120_000 });
  try {
    await db.query('create extension pg_stat_statements');
    const { id: enginePackageId } = await makePackage(db, made.url);
    await createRivals(db, made.packageId);
    await db.query('vacuum analyze');
    return { ...made, enginePackageId };
  } finally {
    await db.end();
  }
}

type Credentials = Omit<Awaited<ReturnType<typeof makePackage>>, 'id'>;

const presentHeaders = ({ uid, caller }: Credentials) => ({
  'content-type': 'application/json',
  'x-uid': uid,
  'x-api-key': caller.apiKey,
  'x-api-secret': caller.apiSecret,
});

async function makePackage(db: Db, url: string) {
  const wanted = { name: 'Bench', currency: 'EUR', state: 'approved', domains: [] } as const;
  const issued = await db.transaction((tx) => createPackage(tx, parseMasterKey(masterKeyText), wanted));
  await fillLedger(url, {
    packageId: issued.id,
    players: playerCount,
    digits,
    movements: playerCount + 1,
    tag: randomBytes(4).toString('hex'),
  });
  return issued;
}
