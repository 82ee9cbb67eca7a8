// A test run: a package with funded players, the log of its callers, and the verdict.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createLedger } from '@counterfoil/wallet-server/ledger/engine/ledger';
import { openLedgerDb } from '@counterfoil/wallet-server/ledger/open-ledger-db';
import { topUp } from '@counterfoil/wallet-server/ledger/transfer';
import {
  createPackage,
  type IssuedPackage,
} from '@counterfoil/wallet-server/packages/credentials/issue-package';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';
import { checkTestRun, type Verdict } from '../checker/check-test-run.ts';
import { type Client, createClient, currency } from '../client/client.ts';
import { type ClientLog, openClientLog } from '../client/client-log.ts';
import type { Order } from '../client/order.ts';
import { createSettler, type Settler } from '../client/settle.ts';
import type { TestEnvironment } from './test-environment.ts';

export interface TestRunOptions {
  readonly players?: number;
  /** The opening balance of each player. */
  readonly fundsMinor?: bigint;
  /** The package's credit. */
  readonly creditMinor?: bigint;
  /** Whether the hash chain is verified too. The wallet with planted bugs has no hash chain. */
  readonly provesChain?: boolean;
}

export interface TestRun extends IssuedPackage {
  readonly players: readonly string[];
  readonly log: ClientLog;
  readonly client: Client;
  readonly settler: Settler;
  /** Sends each order that ever had an unknown outcome two more times, then runs all checks. */
  finish(): Promise<Verdict>;
  close(): Promise<void>;
}

let counter = 0;

export async function openTestRun(
  environment: TestEnvironment,
  options: TestRunOptions = {},
): Promise<TestRun> {
  const { players: count = 32, fundsMinor = 100_00n, provesChain = true } = options;
  const issued = await environment.db.transaction((tx) =>
    createPackage(tx, parseMasterKey(environment.masterKey), {
      name: 'Faults',
      currency,
      state: 'approved',
      domains: [],
    }),
  );
  const log = openClientLog(join(environment.folder, `client-${++counter}.ndjson`));
  await fund(environment, log, {
    packageId: issued.id,
    amountMinor: options.creditMinor ?? 100_000_000_000_00n,
  });
  const client = createClient({ log, headers: presentHeaders(issued) });
  const urls = () => environment.services.map((service) => service.url);
  const settler = createSettler({ client, urls, random: environment.random });
  const players = await makePlayers(environment, issued.id, count);
  await Promise.all(
    players.map((player) =>
      settler.settle({
        packageId: issued.id,
        kind: 'credit',
        player,
        amountMinor: fundsMinor,
        id: `opening-${player}`,
      }),
    ),
  );
  return {
    ...issued,
    players,
    log,
    client,
    settler,
    finish: async () => {
      await settler.resolveUnknowns();
      const checked = { packageId: issued.id, logPath: log.path, provesChain };
      return checkTestRun(environment.db, checked);
    },
    close: async () => {
      client.close();
      log.close();
      await rm(log.path, { force: true });
    },
  };
}

export const presentHeaders = ({ uid, caller, callback }: IssuedPackage) => ({
  caller: { 'x-uid': uid, 'x-api-key': caller.apiKey, 'x-api-secret': caller.apiSecret },
  callback: { 'x-uid': uid, 'x-api-key': callback.apiKey, 'x-api-secret': callback.apiSecret },
});

/** Tops up the package as an administrator, without HTTP, and logs the top-up like any order. */
async function fund(
  environment: TestEnvironment,
  log: ClientLog,
  { packageId, amountMinor }: { packageId: number; amountMinor: bigint },
): Promise<void> {
  const order: Order = { packageId, kind: 'top_up', player: '', id: 'opening', amountMinor };
  const logger = createLogger({ service: 'faults', level: 'fatal' });
  const ledgerDb = openLedgerDb({ url: environment.databaseUrl(), logger });
  try {
    const attempt = log.sent(order);
    await topUp(createLedger({ db: ledgerDb }), {
      packageId,
      overdraftLimit: 0n,
      type: 'top_up',
      note: '',
      amount: amountMinor,
      transactionId: order.id,
    });
    const outcome = { kind: 'acknowledged', balanceMinor: amountMinor, duplicate: false } as const;
    log.answered(attempt, { outcome });
  } finally {
    await ledgerDb.end();
  }
}

async function makePlayers(
  environment: TestEnvironment,
  packageId: number,
  count: number,
): Promise<string[]> {
  const players = Array.from({ length: count }, (_, i) => `player-${i}`);
  for (const playerId of players) {
    await createPlayer(environment.db, { packageId, playerId }, new Date());
  }
  return players;
}
