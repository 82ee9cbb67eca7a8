// The books that the wallet is measured with, made fresh: 10,000 funded players, twice over.
import { type Db, openDb } from '@counterfoil/kit/db';
import type { EmbeddedPostgres } from '@counterfoil/kit/embedded-postgres/start';
import { createLogger } from '@counterfoil/kit/logging';
import { migrate, readMigrations } from '@counterfoil/kit/migrate';
import { parseMasterKey } from '@counterfoil/kit/secrets';
import { migrationFolders } from '@counterfoil/wallet-server/app';
import { createPackage } from '@counterfoil/wallet-server/customer-packages/create-package';
import { createLedger } from '@counterfoil/wallet-server/ledger/ledger';
import { openLedgerDb } from '@counterfoil/wallet-server/ledger/open-ledger-db';
import { topUp } from '@counterfoil/wallet-server/ledger/top-up';
import { transfer } from '@counterfoil/wallet-server/ledger/transfer';
import { createRivals } from './rivals.ts';

/** For measuring alone: nothing in these books is worth stealing. */
export const masterKeyText = Buffer.alloc(32, 7).toString('base64');

export const playerCount = 10_000;
const database = 'bench_wallet';
const packageFunds = 500_000_000_000_000n;
const playerFunds = 10_000_000_000n;

export const namePlayer = (n: number): string => `player-${String(n).padStart(5, '0')}`;

export interface Stock {
  readonly url: string;
  /** The package that is called over HTTP; the rivals have a copy of it in their own tables. */
  readonly packageId: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The package that the engine is driven on without HTTP, so that nobody else moves its head. */
  readonly enginePackageId: number;
}

export async function makeStock(
  postgres: EmbeddedPostgres,
  say: (line: string) => void,
): Promise<Stock> {
  say(`Making two packages of ${playerCount.toLocaleString('en')} players in a fresh database …`);
  const server = openDb({ url: postgres.url('postgres'), applicationName: 'bench stock' });
  try {
    await server.query(`drop database if exists ${database} with (force)`);
  } finally {
    await server.end();
  }
  await postgres.ensureDatabase(database);
  const url = postgres.url(database);
  await migrate({ url, migrations: await readMigrations(migrationFolders) });
  const db = openDb({ url, applicationName: 'bench stock', queryTimeoutMs: 120_000 });
  try {
    await db.query('create extension pg_stat_statements');
    const { id: packageId, ...credentials } = await makePackage(db, url);
    const { id: enginePackageId } = await makePackage(db, url);
    await createRivals(db, packageId);
    await db.query('vacuum analyze');
    return { url, packageId, enginePackageId, headers: presentHeaders(credentials) };
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
  const issued = await db.transaction((tx) =>
    createPackage(tx, parseMasterKey(masterKeyText), wanted),
  );
  await fund(url, issued.id, await insertPlayers(db, issued.id));
  return issued;
}

async function insertPlayers(db: Db, packageId: number): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>(
    `with made as (
       insert into accounts (package_id, id)
       select $1, nextval('player_account_ids') from generate_series(1, $2::int) returning id),
     named as (
       insert into players (package_id, account_id, player_id)
       select $1, id, 'player-' || lpad((row_number() over (order by id) - 1)::text, 5, '0')
       from made)
     select id from made`,
    [packageId, playerCount],
  );
  return rows.map((row) => row.id);
}

/** By way of the ledger itself, so that its proof covers these rows too. */
async function fund(url: string, packageId: number, accounts: readonly bigint[]): Promise<void> {
  const ledgerDb = openLedgerDb({ url, logger: createLogger({ service: 'bench', level: 'warn' }) });
  const ledger = createLedger({ db: ledgerDb, maxQueue: accounts.length, maxWaitMs: 60_000 });
  const terms = { packageId, overdraftLimit: 0n, note: '' };
  try {
    const opening = { type: 'top_up', amount: packageFunds, transactionId: 'opening' } as const;
    await topUp(ledger, { ...terms, ...opening });
    const credit = { ...terms, type: 'credit', amount: playerFunds } as const;
    await Promise.all(
      accounts.map((account) =>
        transfer(ledger, { ...credit, account, transactionId: `opening-${account}` }),
      ),
    );
  } finally {
    await ledgerDb.end();
  }
}
