// A wallet service on a fresh database, and builders for its packages and players.
import { randomBytes } from 'node:crypto';
import type { App } from '@counterfoil/kit/http/app';
import { getDecimals, parseMinor, type Unit } from '@counterfoil/kit/money';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createTestDatabase, type TestDatabase, type TestServer } from '@counterfoil/kit/testing/databases';
import { watchUnlistedErrors } from '@counterfoil/kit/testing/openapi/unlisted-errors';
import { expect, inject } from 'vitest';
import { buildWalletApp, migrationFolders, type WalletDeps } from '../../src/app.ts';
import { type Config, readWalletConfig } from '../../src/config.ts';
import { createLedger, type Ledger, type LedgerOptions } from '../../src/ledger/engine/ledger.ts';
import { openLedgerDb } from '../../src/ledger/open-ledger-db.ts';
import { topUp, transfer } from '../../src/ledger/transfer.ts';
import {
  createPackage,
  type IssuedPackage,
  type NewPackage,
} from '../../src/packages/credentials/issue-package.ts';
import { createPlayer } from '../../src/players/create-player.ts';
import type { PlayerStatus } from '../../src/players/player.ts';
import { reference } from '../../src/reference/reference.ts';
import { createHttpUpstream } from '../../src/upstream/http-upstream.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import type { UpstreamSettings } from '../../src/upstream/upstream-settings.ts';

export interface GivenPackage extends IssuedPackage {
  readonly currency: string;
  readonly decimals: number;
  readonly headers: Record<string, string>;
}

export interface Given {
  readonly app: App;
  readonly db: Db;
  readonly ledger: Ledger;
  readonly upstream: Upstream;
  readonly config: Config;
  readonly masterKeyText: string;
  readonly logLines: string[];
  readonly clock: { now: Date };
  package(wanted?: Partial<NewPackage> & { credit?: string }): Promise<GivenPackage>;
  player(
    owner: GivenPackage,
    wanted?: { playerId?: string; balance?: string; status?: PlayerStatus },
  ): Promise<string>;
  close(): Promise<void>;
}

/** Default provider URLs, which refuse connections because no server listens on port 1. */
const nobody = {
  PROVIDER_PRIVATE_URL: 'http://127.0.0.1:1/private',
  PROVIDER_PUBLIC_URL: 'http://127.0.0.1:1/public',
};

/** `SOCKET_FAST_PATH=off npm test` runs the tests without the fast path on the socket. */
const { SOCKET_FAST_PATH = 'on' } = process.env;
const ofTestRun = { SOCKET_FAST_PATH };

/** Parts of the service that a test may replace. */
interface GivenParts {
  /** The PostgreSQL server; by default the server of the suite. */
  readonly server?: TestServer;
  /** The database; by default a new one without packages. */
  readonly database?: TestDatabase;
  /** The first time of the clock. */
  readonly now?: Date;
  readonly ledger?: Partial<LedgerOptions>;
  readonly deps?: (deps: WalletDeps) => WalletDeps;
}

export async function givenWallet(
  env: Record<string, string> = {},
  limits: Partial<UpstreamSettings> = {},
  beforeReady: (app: App) => void = () => {},
  parts: GivenParts = {},
): Promise<Given> {
  const server = parts.server ?? inject('testServer');
  const database = parts.database ?? (await createTestDatabase(server, 'wallet'));
  const masterKeyText = env.MASTER_KEY ?? randomBytes(32).toString('base64');
  const read = readWalletConfig({
    WALLET_DATABASE_URL: database.url,
    MASTER_KEY: masterKeyText,
    ...nobody,
    ...ofTestRun,
    ...env,
  });
  const config = { ...read, upstream: { ...read.upstream, ...limits } };
  const db = openDb({ url: database.url, applicationName: 'wallet test' });
  const { logger, lines } = captureLog('wallet');
  const clock = { now: parts.now ?? new Date('2026-05-04T10:00:00.500Z') };
  const { onePackagePerBatch } = config;
  const ledgerDb = openLedgerDb({ url: database.url, logger, onePackage: onePackagePerBatch });
  const ledger = createLedger({
    db: ledgerDb,
    onePackagePerBatch,
    now: () => clock.now,
    playersSettleMs: 200,
    monotonicMs: () => 0,
    ...parts.ledger,
  });
  const upstream = createHttpUpstream(config.upstream, () => clock.now);
  const deps: WalletDeps = {
    upstream,
    ledger,
    config,
    db,
    logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => clock.now,
    // The clock of the caches is stopped, so that no entry expires on a slow machine.
    monotonicMs: () => 0,
  };
  const app = await buildWalletApp(parts.deps?.(deps) ?? deps);
  const listUnlisted = watchUnlistedErrors(app, reference);
  beforeReady(app);
  await app.ready();
  return {
    app,
    db,
    ledger,
    upstream,
    config,
    masterKeyText,
    logLines: lines,
    clock,
    package: (wanted = {}) => givePackage({ db, ledger, config }, wanted),
    player: (owner, wanted = {}) => givePlayer({ db, ledger, clock }, owner, wanted),
    close: async () => {
      await app.close();
      await upstream.close();
      await ledgerDb.end();
      await db.end();
      await database.dispose();
      expect(listUnlisted()).toEqual([]);
    },
  };
}

let counter = 0;

async function givePackage(
  { db, ledger, config }: { db: Db; ledger: Ledger; config: Config },
  { credit = '1000.00', ...wanted }: Partial<NewPackage> & { credit?: string },
): Promise<GivenPackage> {
  const full = {
    name: 'Test package',
    currency: 'EUR',
    state: 'approved',
    domains: ['test.example'],
    ...wanted,
  } as const;
  const issued = await db.transaction((tx) => createPackage(tx, config.masterKey, full));
  const unit = { currency: full.currency, decimals: wanted.decimals ?? getDecimals(full.currency) };
  const amount = minorOf(credit, unit);
  if (amount > 0n) {
    await topUp(ledger, {
      packageId: issued.id,
      overdraftLimit: 0n,
      type: 'top_up',
      amount,
      transactionId: 'opening',
      note: '',
    });
  }
  const headers = {
    'x-uid': issued.uid,
    'x-api-key': issued.caller.apiKey,
    'x-api-secret': issued.caller.apiSecret,
  };
  return { ...issued, ...unit, headers };
}

async function givePlayer(
  { db, ledger, clock }: { db: Db; ledger: Ledger; clock: { now: Date } },
  owner: GivenPackage,
  wanted: { playerId?: string; balance?: string; status?: PlayerStatus },
): Promise<string> {
  const playerId = wanted.playerId ?? `player-${++counter}`;
  const { balance, ...rest } = wanted;
  const { player } = await createPlayer(db, { packageId: owner.id, ...rest, playerId }, clock.now);
  const amount = minorOf(balance ?? '0', owner);
  if (amount > 0n) {
    const receipt = await transfer(ledger, {
      packageId: owner.id,
      overdraftLimit: 0n,
      account: player.accountId,
      type: 'credit',
      amount,
      transactionId: `given-${playerId}`,
      note: '',
    });
    const outcome = receipt?.outcome;
    if (outcome?.kind !== 'stored' || outcome.movement.result !== 'applied') {
      throw new Error('the player was not funded');
    }
  }
  return playerId;
}

function minorOf(amount: string, unit: Unit): bigint {
  const minor = parseMinor(amount, unit);
  if (minor === undefined) throw new Error(`${amount} is not an amount in ${unit.currency}`);
  return minor;
}
