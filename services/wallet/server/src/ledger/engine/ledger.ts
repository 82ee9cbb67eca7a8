// The only way to move money: orders are queued fairly, decided together and written in one commit.
import { performance } from 'node:perf_hooks';
import { asPartOf, type Db, type Tx } from '@counterfoil/kit/postgres/db';
import { lossNoticedWithinMs } from '@counterfoil/kit/postgres/notifications';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { creditAccount } from '../rules/movement.ts';
import { selectHeads } from '../store/ledger-store.ts';
import { type Admission, createAdmission, representativeBatch } from './admission.ts';
import { type BalanceRead, createBalanceReads } from './balance-reads.ts';
import { type BatchRunner, createBatchRunner, type LedgerCounters } from './batch-runner.ts';
import { createLedgerCache, type LedgerCache, type ReadAccount } from './cache.ts';
import { createLastCredits } from './last-credits.ts';
import type { AnyOrder, AnyReceipt, BatchOrder, BatchReceipt, Order, Receipt } from './pending-order.ts';
import { createRepeatDetector } from './repeat-detector.ts';
import { createScheduler } from './scheduler.ts';

export type { BalanceRead } from './balance-reads.ts';
export { LedgerFailure } from './failure.ts';
export type { BatchReceipt, Order, Receipt } from './pending-order.ts';

export interface LedgerOptions {
  readonly db: Db;
  readonly now?: () => Date;
  /** The clock for the age of the credits in overload answers. A test can stop this clock. */
  readonly monotonicMs?: () => number;
  readonly maxBatch?: number;
  readonly maxQueue?: number;
  /** An order that has waited this long for its batch is rejected as `overloaded`. */
  readonly maxWaitMs?: number;
  /** A new order whose estimated wait is longer than this is rejected at once. */
  readonly maxExpectedWaitMs?: number;
  /** An order that the database has not answered after this time gets `outcome_unknown`. */
  readonly answerWithinMs?: number;
  /**
   * Whether each package of a batch is written by statements of its own. This is required on a distributed
   * database, where a statement may concern only one package.
   */
  readonly onePackagePerBatch?: boolean;
  /** A balance read that has waited this long for its batch is resolved with undefined. */
  readonly maxBalanceWaitMs?: number;
  /** After a player of a package has changed, batches serve no balance reads of the package for this time. */
  readonly playersSettleMs?: number;
  /** The maximum number of cached accounts. While a batch runs, the cache may also have its accounts. */
  readonly maxAccounts?: number;
  readonly maxMovements?: number;
  /** The maximum number of cached bets per package. Cached rounds and game movements have the same limit. */
  readonly maxGames?: number;
}

/** Accounts as of one moment, and the last sequence of the package's journal at that moment. */
export interface ReadAccounts {
  readonly sequence: bigint;
  readonly accounts: readonly ReadAccount[];
}

export interface Ledger {
  /**
   * Resolves with the answer. If the order stores a movement, the movement is committed before the promise
   * resolves. Resolves to undefined if the order needs an account that does not exist. An order that is
   * refused without a stored movement does not need the player's promo account.
   */
  submit(order: Order): Promise<Receipt | undefined>;
  /**
   * Submits a batch of game commands. Either all of the commands are applied, or none. The promise resolves
   * like the promise of `submit`.
   */
  submitBatch(order: BatchOrder): Promise<BatchReceipt | undefined>;
  /**
   * Reads a balance with the next batch that writes the account's package. The result is undefined if no
   * batch can serve the read; the caller must query the database in that case.
   */
  readBalance(packageId: number, account: bigint): Promise<BalanceRead | undefined> | undefined;
  readonly counters: Readonly<LedgerCounters>;
  readonly queueSize: () => number;
  /**
   * Whether a new order of this package would be rejected now, because its estimated wait is too long. Asking
   * before `submit` makes the rejection cheap.
   */
  isFull(packageId: number): boolean;
  /**
   * The package's credit after the last batch that this process wrote for it; undefined if that batch is
   * older than 5 seconds. This credit is for answers only, not for decisions.
   */
  peekCredit(packageId: number): bigint | undefined;
  /**
   * Call this method before you read accounts of a package from the database. The returned function stores
   * the read accounts in the cache.
   */
  beginReading(packageId: number): (read: ReadAccounts) => void;
  /** Caches the journal head of a package if the head is not cached yet. */
  readHead(packageId: number): Promise<void>;
  /** Resolves when all queued orders are answered. */
  drain(): Promise<void>;
}

/** Interval for rejecting orders and balance reads that have waited too long. */
const tickMs = 100;

/** The total time that this process was idle. */
const readIdleMs = () => performance.eventLoopUtilization().idle;

export function createLedger(options: LedgerOptions): Ledger {
  const settings = withDefaults(options);
  const { db, now, maxBatch, onePackagePerBatch } = settings;
  const cache = createLedgerCache(settings);
  const credits = createLastCredits(options.monotonicMs && { now: options.monotonicMs });
  const balanceReads = createBalanceReads(cache, settings.playersSettleMs);
  const admission = createAdmission(settings);
  const runner = createBatchRunner({
    db,
    cache,
    now,
    onePackage: onePackagePerBatch,
    repeats: createRepeatDetector(),
    onWritten: (packageId, playersVersion) => {
      balanceReads.serve(packageId, playersVersion);
      const credit = cache.packages.get(packageId)?.accounts.get(creditAccount)?.balance;
      if (credit !== undefined) credits.store(packageId, credit);
    },
    balanceReads,
    credits,
    withoutExpired: admission.withoutExpired,
    answerWithinMs: settings.answerWithinMs,
  });
  const scheduler = createScheduler({
    queueSize: admission.size,
    maxBatch,
    runBatch: () => runAndMeasure(admission, runner),
    tickMs,
    onTick: () => {
      const nowMs = performance.now();
      runner.rejectOverdue(nowMs);
      admission.rejectExpired(nowMs);
      balanceReads.giveUp(nowMs - settings.maxBalanceWaitMs);
    },
    onIdle: () => {
      admission.reset();
      // No further batch will serve the waiting reads, so their callers must query the database.
      balanceReads.giveUp(Number.POSITIVE_INFINITY);
    },
  });
  const submit = (order: AnyOrder) =>
    new Promise<AnyReceipt | undefined>((resolve, reject) => {
      const isQueued = admission.enqueue({ order, since: performance.now(), resolve, reject });
      if (isQueued) scheduler.wake();
      // Called even after a rejection. Under overload, this process spends most of the tick on rejections.
      // Without this call, a due batch would start too late.
      scheduler.startIfQueueIsLong();
    });
  return {
    // These casts are safe, because the kind of an outcome follows from the kind of its command.
    submit: submit as Ledger['submit'],
    submitBatch: submit as Ledger['submitBatch'],
    readBalance: (packageId, account) => {
      const isWritten = admission.has(packageId) || runner.isBusyWith(packageId);
      return isWritten ? balanceReads.request(packageId, account) : undefined;
    },
    counters: runner.counters,
    queueSize: admission.size,
    isFull: admission.isFull,
    peekCredit: credits.find,
    beginReading: (packageId) => beginReading(cache, packageId),
    readHead: (packageId) => readHead(db, cache, packageId),
    drain: scheduler.drain,
  };
}

function withDefaults(options: LedgerOptions) {
  const { onePackagePerBatch = false } = options;
  return {
    db: options.db,
    now: options.now ?? (() => new Date()),
    // With `onePackagePerBatch`, the packages of a batch are written one after the other, which takes longer
    // than one statement for all packages. So the maximum is lower.
    maxBatch: options.maxBatch ?? (onePackagePerBatch ? representativeBatch : 1024),
    maxQueue: options.maxQueue ?? 8192,
    maxWaitMs: options.maxWaitMs ?? deadlineMs(1500),
    maxExpectedWaitMs: options.maxExpectedWaitMs ?? deadlineMs(750),
    answerWithinMs: options.answerWithinMs ?? deadlineMs(2200),
    onePackagePerBatch,
    maxBalanceWaitMs: options.maxBalanceWaitMs ?? tickMs,
    playersSettleMs: options.playersSettleMs ?? lossNoticedWithinMs,
    maxAccounts: options.maxAccounts ?? 1_200_000,
    maxMovements: options.maxMovements ?? 100_000,
    maxGames: options.maxGames ?? 20_000,
  };
}

/** Runs the next batch and, if its duration is representative, records it for the wait estimate. */
async function runAndMeasure(admission: Admission, runner: BatchRunner): Promise<void> {
  const batch = admission.takeBatch();
  const [startedAt, idleBefore] = [performance.now(), readIdleMs()];
  if (!(await runner.run(batch))) return;
  admission.recordBatch(batch.length, performance.now() - startedAt, readIdleMs() - idleBefore);
}

function beginReading(cache: LedgerCache, packageId: number): (read: ReadAccounts) => void {
  const known = cache.packages.get(packageId);
  const since = known?.sequence;
  return ({ sequence, accounts }) => {
    if (known === undefined || since === undefined || sequence < since) return;
    // During the read, an account may have moved and then been evicted. The read has its old balance.
    if (sequence < known.accounts.evictedUpTo) return;
    cache.storeReadAccounts(known, packageId, accounts);
  };
}

async function readHead(db: Db, cache: LedgerCache, packageId: number): Promise<void> {
  if (cache.packages.has(packageId) || !cache.hasRoom()) return;
  const [head] = await selectHeads(db, [packageId]);
  // During the query, a batch may have cached a newer head, which must not be overwritten.
  if (head && !cache.packages.has(packageId)) cache.storeHead(head);
}

/**
 * A ledger for a few movements inside an open transaction. The movements are committed with the transaction.
 * The ledger is used only until the transaction ends, so it caches only one movement. It uses
 * `onePackagePerBatch`, because the statements for one package run on every database.
 */
export const createLedgerWithin = (tx: Tx, now: () => Date = () => new Date()): Ledger =>
  createLedger({ db: asPartOf(tx), now, maxMovements: 1, onePackagePerBatch: true });
