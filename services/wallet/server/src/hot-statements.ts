// Collects the statements of the hot path as the service sends them, for `distribute --explain`.
import { createLogger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { HotStatement } from '@counterfoil/kit/postgres/distribution/one-shard';
import { recordStatements } from '@counterfoil/kit/postgres/distribution/record-statements';
import { markPooled } from '@counterfoil/kit/postgres/pooler';
import type { CatalogueCache } from './games/catalogue-cache.ts';
import { endSession } from './games/game-session.ts';
import type { GameSources } from './games/game-sources.ts';
import { launchGame } from './games/launch-game.ts';
import { findSessions } from './games/queries.ts';
import { createLedger, type Ledger } from './ledger/engine/ledger.ts';
import { findCallerMovement, getCredit } from './ledger/queries.ts';
import { hashId, hashRound } from './ledger/rules/ids.ts';
import { transfer } from './ledger/transfer.ts';
import { createPackageFinder } from './packages/callers/find-package.ts';
import { createBalanceReader } from './players/balance.ts';
import { createStatusFinder } from './players/find-status.ts';
import { getAccount } from './players/queries.ts';
import { type Upstream, UpstreamFailure } from './upstream/upstream.ts';

const account = 1001n;

/**
 * The rows that the recording database returns for named statements. They describe a package with credit and
 * a player with money.
 */
function answersFor(packageId: number) {
  const moved = { last_sequence: 0n, updated_at: new Date(0) };
  const rich = { package_id: packageId, balance: 1_000_000n, ...moved };
  const head = { ...rich, sequence: 0n, hash: Buffer.alloc(32) };
  return {
    select_head: [1n, 2n, 3n].map((id) => ({ ...head, id })),
    select_accounts_of_one: [{ ...rich, id: account }],
    check_package: [{ ok: true, known: false, unforeseen: false }],
    select_package_by_uid: [{ id: packageId, currency: 'EUR' }],
    select_player: [{ ...rich, account_id: account, status: 'active' }],
  };
}

/**
 * Runs the real use cases on a database that records statements without running them. Most use cases
 * end with an error, because the database finds almost nothing.
 */
export async function collectHotStatements(packageId: number): Promise<readonly HotStatement[]> {
  const recorder = recordStatements(answersFor(packageId));
  const { db } = recorder;
  const ledger = createLedger({ db, onePackagePerBatch: true });
  await Promise.allSettled([
    createBalanceReader(db)(packageId, 'player'),
    getCredit(db, packageId),
    getAccount(db, packageId, 'player'),
    createStatusFinder({ db }).find(packageId, 'player'),
    findSessions(db, { packageId, sessionIds: ['session'] }),
    findCallerMovement(db, packageId, 'known'),
    moveMoney(ledger, packageId),
    authenticateCaller(db),
    launch(db, packageId),
    endSession(db, { packageId, sessionId: 'session', at: new Date() }),
  ]);
  return recorder.statements;
}

/**
 * Loads the package with its live pairs. The finder does not listen for changes if the URL is marked as
 * pooled.
 */
async function authenticateCaller(db: Db): Promise<void> {
  const directUrl = markPooled('postgres://nowhere');
  const finder = await createPackageFinder({ db, directUrl, onError: () => {} });
  await finder.find('UID').finally(() => finder.close());
}

/** Launches a known game at a provider that is unavailable: the session is opened and ended. */
async function launch(db: Db, packageId: number): Promise<void> {
  const away: Partial<Upstream> = { launch: () => Promise.reject(new UpstreamFailure('unreachable')) };
  const sources: Partial<GameSources> = { list: async () => [] };
  const known = { byId: new Map([['game', { status: null }]]) };
  const catalogue = { find: async () => known, listSources: () => [known] } as unknown;
  await launchGame(
    {
      db,
      upstream: away as Upstream,
      catalogue: catalogue as CatalogueCache,
      sources: sources as GameSources,
      limits: { privateLaunchMs: 1000, launchMs: 1000 },
      sessionMs: 1000,
      logger: createLogger({ service: 'wallet', level: 'silent' }),
      now: () => new Date(),
    },
    { id: packageId, uid: 'UID', currency: 'EUR', decimals: 2, domains: [], sharedLaunch: false },
    {
      playerId: 'player',
      gameId: 'game',
      mode: 'real',
      language: undefined,
      platform: undefined,
      returnUrl: undefined,
    },
  );
}

/**
 * Submits three commands: a transfer with a note, a bet in a round, and a rollback. Together these commands
 * use every table that a batch can use.
 */
async function moveMoney(ledger: Ledger, packageId: number): Promise<void> {
  const order = { packageId, overdraftLimit: 0n };
  const round = { id: 'round', hash: hashRound('p', 'round') };
  const play = { account, gameId: 'game', round, roundFinished: false };
  const transferred = transfer(ledger, {
    ...order,
    account,
    type: 'credit',
    amount: 100n,
    transactionId: 'a',
    note: 'noted',
  });
  const bet = ledger.submit({
    ...order,
    command: {
      ...{ type: 'bet', ...play, amount: 5n, blockedBy: undefined, transactionId: 'b' },
      idHash: hashId('bet:p', 'b'),
    },
  });
  const rollback = ledger.submit({
    ...order,
    command: {
      type: 'rollback',
      ...play,
      transactionId: 'c',
      idHash: hashId('rollback:p', 'c'),
      referenceHash: hashId('bet:p', 'gone'),
      referenceAsWinHash: hashId('win:p', 'gone'),
    },
  });
  await Promise.allSettled([transferred, bet, rollback]);
}
