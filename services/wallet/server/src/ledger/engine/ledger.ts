// The only way to move money: orders are queued fairly, decided together and written in one commit.
import { performance } from 'node:perf_hooks';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { creditAccount } from '../rules/movement.ts';
import { selectHeads } from '../store/ledger-store.ts';
import { createAdmission } from './admission.ts';
import type { Receipt } from './apply-batch.ts';
import { createToldBalances, type ToldBalance } from './balance-reads.ts';
import { judgeFailure } from './classify-failure.ts';
import { createFairQueue } from './fair-queue.ts';
import { createLastCredits } from './last-credits.ts';
import type { Order } from './load-batch.ts';
import { createMemory, type ReadAccount } from './memory.ts';
import { type RoundTrip, runBatch } from './run-batch.ts';

export type { Receipt } from './apply-batch.ts';
export type { ToldBalance } from './balance-reads.ts';
export type { Order } from './load-batch.ts';

/** Why an order got no answer from the rules, and whether it may have been applied. */
export class LedgerFailure extends Error {
  override readonly name = 'LedgerFailure';
  readonly code: 'overloaded' | 'unavailable' | 'outcome_unknown' | 'internal_error';

  constructor(code: LedgerFailure['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

export interface LedgerOptions {
  readonly db: Db;
  readonly now?: () => Date;
  /** The clock by which the credits in overload answers age; a test stops it. */
  readonly monotonicMs?: () => number;
  readonly maxBatch?: number;
  readonly maxQueue?: number;
  /** How long an order may wait for its batch before it is told to come back. */
  readonly maxWaitMs?: number;
  /** How long an order may be expected to wait; beyond that it is refused before it does. */
  readonly maxExpectedWaitMs?: number;
  /** How long an order waits in all; what is with the database by then is not known. */
  readonly answerWithinMs?: number;
  /** One package per batch, where no statement may span tenants. */
  readonly onePackagePerBatch?: boolean;
  /** How long a balance may wait for its batch before the database is asked instead. */
  readonly tellWithinMs?: number;
  /** How long no balance is told behind a change of a package's players. */
  readonly playersSettleMs?: number;
  readonly maxAccounts?: number;
  readonly maxMovements?: number;
  /** Of each package: bets, rounds and what moved in them. */
  readonly maxGames?: number;
}

export interface LedgerCounters {
  batches: number;
  orders: number;
  writes: number;
  stale: number;
  known: number;
  unforeseen: number;
  locked: number;
  failed: number;
}

/** Accounts as of a moment, and how far the package's journal had come by then. */
export interface ReadAccounts {
  readonly sequence: bigint;
  readonly accounts: readonly ReadAccount[];
}

export interface Ledger {
  /** Resolves when the answer is durable; undefined where there is no such account. */
  submit(order: Order): Promise<Receipt | undefined>;
  /**
   * What an account holds, told by the next batch that writes its package; undefined at once where
   * none is about to, or later where it could not tell it or lets wait: then the database is to be asked.
   */
  tellBalance(packageId: number, account: bigint): Promise<ToldBalance | undefined> | undefined;
  readonly counters: Readonly<LedgerCounters>;
  readonly queueSize: () => number;
  /** Whether an order of this package would be refused now: asked first, a refusal costs little. */
  isFull(packageId: number): boolean;
  /** The package's credit as this process last wrote it, seconds ago at most: for telling, not for deciding. */
  peekCredit(packageId: number): bigint | undefined;
  /** Said before accounts are read elsewhere; what it returns takes what was found. */
  beginReading(packageId: number): (read: ReadAccounts) => void;
  /** Reads the end of a package's journal, where it is not remembered yet. */
  readHead(packageId: number): Promise<void>;
  /** Waits for what is queued. */
  drain(): Promise<void>;
}

/** Turns of the event loop that a batch waits for more at most: fewer commits, and no timer. */
const maxTurns = 1;

/**
 * A batch that tells how fast orders are written. More than that go into one under overload alone: then
 * a turn of the event loop is long, the database waits for it, and has to be given much at a time.
 */
const usualBatch = 512;

/** So many are not let wait for more. */
const eagerBatch = 256;

/** How often it is looked for orders that have waited too long, while anything waits. */
const lookMs = 100;

/** From as many orders on, half of them are written while the other half is answered and asks again. */
const minHalves = 32;

/** For how long in all this process had nothing to do. */
const readIdleMs = () => performance.eventLoopUtilization().idle;

interface Waiting {
  readonly order: Order;
  readonly since: number;
  readonly resolve: (receipt: Receipt | undefined) => void;
  readonly reject: (error: LedgerFailure) => void;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { db, maxWaitMs = deadlineMs(1500), now = () => new Date() } = options;
  // Where each package is written by itself, a batch of many would keep the last of them waiting.
  const { maxBatch = options.onePackagePerBatch ? usualBatch : 1024 } = options;
  const { answerWithinMs = deadlineMs(2200), tellWithinMs = lookMs } = options;
  const queue = createFairQueue<Waiting>(options.maxQueue ?? 8192);
  const { maxExpectedWaitMs: maxExpectedMs = deadlineMs(250) } = options;
  const admission = createAdmission({ maxBatch: Math.min(maxBatch, usualBatch), maxExpectedMs });
  const memory = createMemory({
    maxAccounts: options.maxAccounts ?? 1_400_000,
    maxMovements: options.maxMovements ?? 100_000,
    maxGames: options.maxGames ?? 20_000,
  });
  const counters = {
    ...{ batches: 0, orders: 0, writes: 0, failed: 0 },
    ...{ stale: 0, known: 0, unforeseen: 0, locked: 0 },
  };
  const credits = createLastCredits(options.monotonicMs && { now: options.monotonicMs });
  const told = createToldBalances(memory, options.playersSettleMs ?? 5000);
  const deps = {
    db,
    memory,
    now,
    onePackage: options.onePackagePerBatch ?? false,
    onWritten: (packageId: number, version: string) => {
      told.tell(packageId, version);
      const credit = memory.packages.get(packageId)?.accounts.get(creditAccount)?.balance;
      if (credit !== undefined) credits.keep(packageId, credit);
    },
    onRoundTrip: (kind: RoundTrip) => {
      counters[kind === 'write' ? 'writes' : kind]++;
    },
  };
  let running = false;
  let idle: (() => void)[] = [];
  let inFlight: readonly Waiting[] = [];
  /** The packages of those, once they were asked for. */
  let flying: ReadonlySet<number> | undefined;
  /** Parts of the batch that are not sent yet: nothing of them is applied. */
  let unsent: readonly Waiting[] = [];
  let look: NodeJS.Timeout | undefined;

  const wake = () => {
    if (running) return;
    running = true;
    look = setInterval(refuseLate, lookMs);
    pumpSoon();
  };

  /** Whether the pump waits for the end of this turn. */
  let isDue = false;
  const pumpSoon = () => {
    isDue = true;
    setImmediate(pumpNow);
  };
  const pumpNow = () => {
    if (!isDue) return;
    isDue = false;
    void pump();
  };

  /** A database that does not answer must not keep callers waiting: they are told what is known. */
  const refuseLate = () => {
    const now = performance.now();
    // A process that was busy for so long first reads what the database has answered meanwhile. A batch
    // that is on its way by then has none so old: who waited for longer than `maxWaitMs` is not in it.
    if (inFlight.some(({ since }) => since < now - answerWithinMs)) setImmediate(giveUpInFlight);
    const late = queue.drop(({ since }) => since < now - maxWaitMs);
    refuseAll(late);
    passLate(unsent);
    told.giveUp(now - tellWithinMs);
  };

  const giveUpInFlight = () => {
    const latest = performance.now() - answerWithinMs;
    for (const { since, order, reject } of inFlight) {
      if (since >= latest) continue;
      credits.forget(order.packageId);
      reject(new LedgerFailure('outcome_unknown'));
    }
  };

  let turns = 0;
  let seen = 0;
  /** How many the last batch answered: in a moment they ask again. */
  let answered = 0;

  const pump = async () => {
    // Those who were just answered ask again at once: as long as the queue grows, it is let grow.
    if (turns < maxTurns && queue.size() > seen && queue.size() < Math.min(maxBatch, eagerBatch)) {
      turns++;
      seen = queue.size();
      pumpSoon();
      return;
    }
    turns = 0;
    seen = 0;
    do {
      const batch = takeBatch();
      const { failed, writes } = counters;
      const [startedAt, idleBefore] = [performance.now(), readIdleMs()];
      if (batch.length > 0) await settle(batch);
      told.end();
      // What failed, or wrote nothing, says nothing of how fast orders are written.
      if (counters.failed === failed && counters.writes > writes) {
        const elapsedMs = performance.now() - startedAt;
        admission.observe(batch.length, elapsedMs, readIdleMs() - idleBefore);
      }
      inFlight = [];
    } while (queue.size() > 0);
    running = false;
    answered = 0;
    clearInterval(look);
    // The orders that they waited with came too late, and there is no batch to tell them.
    told.giveUp(Number.POSITIVE_INFINITY);
    // After the last answers, which are on their way in this turn.
    setImmediate(() => {
      if (running) return;
      for (const resolve of idle) resolve();
      idle = [];
    });
  };

  const takeBatch = (): Waiting[] => {
    // Were all callers in one batch, this process and the database would wait for each other in turn.
    const callers = queue.size() + answered;
    const half = callers < minHalves ? maxBatch : Math.ceil(callers / 2);
    const taken = queue.take(Math.min(half, maxBatch));
    answered = taken.length;
    return passLate(taken);
  };

  /** Who has waited too long is told so and passed over: what is late now is late ever after. */
  const passLate = (batch: readonly Waiting[]): Waiting[] => {
    const latest = performance.now() - maxWaitMs;
    const fresh = batch.filter(({ since }) => since >= latest);
    if (fresh.length < batch.length) refuseAll(batch.filter(({ since }) => since < latest));
    return fresh;
  };

  /** With one error for all of them: thousands may be late at once, and each has a stack to be read. */
  const refuseAll = (late: readonly Waiting[]) => {
    if (late.length === 0) return;
    const failure = new LedgerFailure('overloaded');
    for (const { reject } of late) reject(failure);
  };

  /** Whether many wait for the batch under way: who is answered by it asks again, and makes the next. */
  const isAskedAgain = (packageId: number): boolean => {
    if (inFlight.length * 2 < minHalves) return false;
    flying ??= new Set(inFlight.map(({ order }) => order.packageId));
    return flying.has(packageId);
  };

  const settle = async (batch: Waiting[]): Promise<void> => {
    const parts = options.onePackagePerBatch ? splitByPackage(batch) : [batch];
    told.begin();
    for (const [i, part] of parts.entries()) {
      unsent = parts.slice(i + 1).flat();
      inFlight = i === 0 ? part : passLate(part);
      flying = undefined;
      if (inFlight.length > 0) await settlePart([...inFlight]);
    }
  };

  let unanswered: (() => void) | undefined;
  /** In a flood the end of a turn is far away; then they are answered when the next batch is written. */
  const answerSoon = (answer: () => void) => {
    unanswered?.();
    unanswered = answer;
    setImmediate(() => {
      if (unanswered !== answer) return;
      unanswered = undefined;
      answer();
    });
  };

  const settlePart = async (batch: Waiting[], rereads = 0): Promise<void> => {
    counters.batches++;
    counters.orders += batch.length;
    let rest: Waiting[];
    try {
      const orders = batch.map((waiting) => waiting.order);
      const { receipts, old } = await runBatch(deps, orders, rereads);
      const again = new Set(old);
      // Apart from the rest, whose failure must not be told to these, and in the next turn: by then
      // the next batch is on its way, and the database works while the answers are written.
      answerSoon(() => {
        for (const [i, waiting] of batch.entries()) {
          if (!again.has(i)) waiting.resolve(receipts[i]);
        }
      });
      rest = batch.filter((_, i) => again.has(i));
    } catch (error) {
      await settleFailure(batch, error, rereads);
      return;
    }
    if (rest.length > 0) await settlePart(rest, rereads + 1);
  };

  /** A row that the database refuses must not fail its mates: they are tried in halves, then alone. */
  const settleFailure = async (
    batch: Waiting[],
    error: unknown,
    rereads: number,
  ): Promise<void> => {
    counters.failed++;
    for (const { order } of batch) memory.forget(order.packageId);
    const code = judgeFailure(error);
    if (code === 'outcome_unknown') for (const { order } of batch) credits.forget(order.packageId);
    if (code === 'internal_error' && batch.length > 1) {
      const middle = batch.length >> 1;
      await settlePart(batch.slice(0, middle), rereads);
      await settlePart(batch.slice(middle), rereads);
      return;
    }
    for (const waiting of batch) waiting.reject(new LedgerFailure(code, error));
  };

  return {
    submit: (order) =>
      new Promise((resolve, reject) => {
        const waiting = { order, since: performance.now(), resolve, reject };
        const { packageId } = order;
        const isFull = admission.isFull(queue.ahead(packageId));
        if (isFull || !queue.push(packageId, waiting)) reject(new LedgerFailure('overloaded'));
        else wake();
        // In a flood the end of the turn is seconds away: whoever is refused asks again within it.
        if (isDue && queue.size() >= eagerBatch) pumpNow();
      }),
    tellBalance: (packageId, account) =>
      queue.has(packageId) || isAskedAgain(packageId) ? told.ask(packageId, account) : undefined,
    counters,
    queueSize: () => queue.size(),
    isFull: (packageId) => admission.isFull(queue.ahead(packageId)),
    peekCredit: credits.find,
    beginReading: (packageId) => {
      const known = memory.packages.get(packageId);
      const since = known?.sequence;
      return ({ sequence, accounts }) => {
        if (known === undefined || since === undefined || sequence < since) return;
        memory.rememberRead(known, packageId, accounts);
      };
    },
    readHead: async (packageId) => {
      if (memory.packages.has(packageId) || !memory.hasRoom()) return;
      const [head] = await selectHeads(db, [packageId]);
      // A batch may have come first, and what it knows is newer.
      if (head && !memory.packages.has(packageId)) memory.remember(head);
    },
    drain: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

function splitByPackage(batch: Waiting[]): Waiting[][] {
  const parts = new Map<number, Waiting[]>();
  for (const waiting of batch) {
    const part = parts.get(waiting.order.packageId);
    if (part) part.push(waiting);
    else parts.set(waiting.order.packageId, [waiting]);
  }
  return [...parts.values()];
}
