// A wallet service on a fresh database, and builders for what a test needs in it.
import { randomBytes } from 'node:crypto';
import type { App } from '@counterfoil/kit/app';
import { type Db, openDb } from '@counterfoil/kit/db';
import { readMigrations } from '@counterfoil/kit/migrate';
import { parseMinor } from '@counterfoil/kit/money';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createTestDatabase } from '@counterfoil/kit/testing/databases';
import { inject } from 'vitest';
import { buildWalletApp, migrationFolders } from '../src/app.ts';
import { type Config, readWalletConfig } from '../src/config.ts';
import {
  createPackage,
  type IssuedPackage,
  type NewPackage,
} from '../src/customer-packages/create-package.ts';
import { creditAccount, issuanceAccount } from '../src/ledger/movement.ts';
import { postMovement } from '../src/ledger/post-movement.ts';
import { createPlayer } from '../src/players/create-player.ts';
import type { PlayerStatus } from '../src/players/player.ts';

export interface GivenPackage extends IssuedPackage {
  readonly currency: string;
  readonly headers: Record<string, string>;
}

export interface Given {
  readonly app: App;
  readonly db: Db;
  readonly config: Config;
  readonly logLines: string[];
  readonly clock: { now: Date };
  package(wanted?: Partial<NewPackage> & { credit?: string }): Promise<GivenPackage>;
  player(
    owner: GivenPackage,
    wanted?: { playerId?: string; balance?: string; status?: PlayerStatus },
  ): Promise<string>;
  close(): Promise<void>;
}

export async function givenWallet(env: Record<string, string> = {}): Promise<Given> {
  const database = await createTestDatabase(inject('testServer'), 'wallet');
  const config = readWalletConfig({
    WALLET_DATABASE_URL: database.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...env,
  });
  const db = openDb({ url: database.url, applicationName: 'wallet test' });
  const { logger, lines } = captureLog('wallet');
  const clock = { now: new Date('2026-05-04T10:00:00.500Z') };
  const app = await buildWalletApp({
    config,
    db,
    logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => clock.now,
  });
  await app.ready();
  return {
    app,
    db,
    config,
    logLines: lines,
    clock,
    package: (wanted = {}) => givePackage(db, config, clock, wanted),
    player: (owner, wanted = {}) => givePlayer(db, clock, owner, wanted),
    close: async () => {
      await app.close();
      await db.end();
      await database.drop();
    },
  };
}

let counter = 0;

async function givePackage(
  db: Db,
  config: Config,
  clock: { now: Date },
  { credit = '1000.00', ...wanted }: Partial<NewPackage> & { credit?: string },
): Promise<GivenPackage> {
  const full = {
    name: 'Test package',
    currency: 'EUR',
    state: 'approved',
    domains: ['test.example'],
    ...wanted,
  } as const;
  return db.transaction(async (tx) => {
    const issued = await createPackage(tx, config.masterKey, full);
    const amount = minorOf(credit, full.currency);
    if (amount > 0n) {
      await postMovement(tx, {
        packageId: issued.id,
        kind: 'top_up',
        debitAccount: issuanceAccount,
        creditAccount,
        amount,
        transactionId: 'opening',
        now: clock.now,
      });
    }
    const headers = {
      'x-uid': issued.uid,
      'x-api-key': issued.caller.apiKey,
      'x-api-secret': issued.caller.apiSecret,
    };
    return { ...issued, currency: full.currency, headers };
  });
}

async function givePlayer(
  db: Db,
  clock: { now: Date },
  owner: GivenPackage,
  wanted: { playerId?: string; balance?: string; status?: PlayerStatus },
): Promise<string> {
  const playerId = wanted.playerId ?? `player-${++counter}`;
  await db.transaction(async (tx) => {
    const account = await createPlayer(tx, { packageId: owner.id, ...wanted, playerId });
    const amount = minorOf(wanted.balance ?? '0', owner.currency);
    if (amount === 0n) return;
    await postMovement(tx, {
      packageId: owner.id,
      kind: 'credit',
      debitAccount: creditAccount,
      creditAccount: account,
      amount,
      transactionId: `given-${playerId}`,
      now: clock.now,
    });
  });
  return playerId;
}

function minorOf(amount: string, currency: string): bigint {
  const minor = parseMinor(amount, currency);
  if (minor === undefined) throw new Error(`${amount} is no amount of ${currency}`);
  return minor;
}
