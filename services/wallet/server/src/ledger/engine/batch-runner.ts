// Runs a batch of pending orders until each order is answered: as committed, as refused, or as failed with a
// code.
import assert from 'node:assert/strict';
import { minCallersForHalves } from './admission.ts';
import type { BalanceReads } from './balance-reads.ts';
import { type CommitDeps, commitBatch, type RoundTrip } from './commit-batch.ts';
import { classifyFailure, LedgerFailure } from './failure.ts';
import type { LastCredits } from './last-credits.ts';
import type { PendingOrder } from './pending-order.ts';

export type LedgerCounters = ReturnType<typeof createCounters>;

export interface BatchRunnerDeps extends Omit<CommitDeps, 'onRoundTrip'> {
  readonly balanceReads: Pick<BalanceReads, 'startBatch' | 'endBatch'>;
  readonly credits: Pick<LastCredits, 'invalidate'>;
  /** Rejects the orders that have waited too long, and returns the other orders. */
  readonly withoutExpired: (batch: readonly PendingOrder[]) => PendingOrder[];
  /**
   * An order gets `outcome_unknown` if it was submitted longer ago than this and the database has not
   * answered it.
   */
  readonly answerWithinMs: number;
}

export interface BatchRunner {
  readonly counters: Readonly<LedgerCounters>;
  /**
   * Runs a batch. Returns true if orders were written and no order failed. If the result is false, the
   * duration of the batch says nothing about the writing speed.
   */
  run(batch: readonly PendingOrder[]): Promise<boolean>;
  /**
   * Rejects the orders in flight that the database has not answered in time, and the orders of the current
   * batch that are not sent yet and have waited too long.
   */
  rejectOverdue(nowMs: number): void;
  /**
   * Whether many orders are in flight and at least one of them belongs to this package. The caller of that
   * order will probably send its next order soon, so the package will probably be in the next batch too.
   */
  isBusyWith(packageId: number): boolean;
}

export function createBatchRunner(deps: BatchRunnerDeps): BatchRunner {
  const counters = createCounters();
  const inFlight = createInFlight(deps);
  const runPart = createPartRunner(deps, counters);
  let isRunning = false;

  const runParts = async (batch: readonly PendingOrder[]): Promise<void> => {
    const parts = deps.onePackage ? splitByPackage(batch) : [batch];
    deps.balanceReads.startBatch();
    for (const [i, part] of parts.entries()) {
      const sent = inFlight.start(part, i === 0, parts.slice(i + 1).flat());
      if (sent.length > 0) await runPart([...sent], 0);
    }
  };

  return {
    counters,
    run: async (batch) => {
      assert(!isRunning, 'a batch was started before the last one ended');
      isRunning = true;
      const { failed, writes } = counters;
      if (batch.length > 0) await runParts(batch);
      deps.balanceReads.endBatch();
      inFlight.end();
      isRunning = false;
      return counters.failed === failed && counters.writes > writes;
    },
    rejectOverdue: inFlight.rejectOverdue,
    isBusyWith: inFlight.isBusyWith,
  };
}

type InFlightDeps = Pick<BatchRunnerDeps, 'credits' | 'answerWithinMs' | 'withoutExpired'>;

interface InFlight extends Pick<BatchRunner, 'rejectOverdue' | 'isBusyWith'> {
  /**
   * Puts a part of a batch in flight, and returns the orders to send. For the first part, these are all
   * orders of the part. Orders of a later part may have expired while the earlier parts were sent. Expired
   * orders are rejected and not returned.
   */
  start(
    part: readonly PendingOrder[],
    isFirst: boolean,
    later: readonly PendingOrder[],
  ): readonly PendingOrder[];
  end(): void;
}

/** Tracks the orders of the current batch that the database has not answered yet. */
function createInFlight({ credits, answerWithinMs, withoutExpired }: InFlightDeps): InFlight {
  let inFlight: readonly PendingOrder[] = [];
  /** The packages of `inFlight`; computed when `isBusyWith` first needs them. */
  let packagesInFlight: ReadonlySet<number> | undefined;
  /** The orders of the batch that are not sent yet, and therefore not applied. */
  let unsent: readonly PendingOrder[] = [];

  const rejectInFlight = () => {
    const oldest = performance.now() - answerWithinMs;
    for (const { since, order, reject } of inFlight) {
      if (since >= oldest) continue;
      credits.invalidate(order.packageId);
      reject(new LedgerFailure('outcome_unknown'));
    }
  };

  return {
    start: (part, isFirst, later) => {
      unsent = later;
      inFlight = isFirst ? part : withoutExpired(part);
      packagesInFlight = undefined;
      return inFlight;
    },
    end: () => {
      inFlight = [];
    },
    rejectOverdue: (nowMs) => {
      // `setImmediate` lets a busy process first read the answers that have already arrived from the
      // database. When `rejectInFlight` runs, a newer batch may be in flight. No order of the newer batch is
      // overdue, because an order that has waited longer than `maxWaitMs` is never sent.
      if (inFlight.some(({ since }) => since < nowMs - answerWithinMs)) {
        setImmediate(rejectInFlight);
      }
      withoutExpired(unsent);
    },
    isBusyWith: (packageId) => {
      if (inFlight.length * 2 < minCallersForHalves) return false;
      packagesInFlight ??= new Set(inFlight.map(({ order }) => order.packageId));
      return packagesInFlight.has(packageId);
    },
  };
}

type RunPart = (part: readonly PendingOrder[], rereads: number) => Promise<void>;

/** Commits a part of a batch and answers its orders. */
function createPartRunner(deps: BatchRunnerDeps, counters: LedgerCounters): RunPart {
  const { cache, credits } = deps;
  const answerLater = createAnswerLater();
  const onRoundTrip = (kind: RoundTrip) => {
    counters[kind === 'write' ? 'writes' : kind]++;
  };
  const commitDeps: CommitDeps = { ...deps, onRoundTrip };

  const runPart = async (part: readonly PendingOrder[], rereads: number): Promise<void> => {
    counters.batches++;
    counters.orders += part.length;
    let outdated: PendingOrder[];
    try {
      const orders = part.map((pending) => pending.order);
      const { receipts, old } = await commitBatch(commitDeps, orders, rereads);
      const isOld = new Set(old);
      // Committed orders are answered before the outdated orders run again. So a failure of the second run
      // does not affect the committed orders. `answerLater` sends the answers at the end of the tick, after
      // the next batch was sent to the database. So the database works while the answers are sent.
      answerLater(() => {
        for (const [i, pending] of part.entries()) {
          if (!isOld.has(i)) pending.resolve(receipts[i]);
        }
      });
      outdated = part.filter((_, i) => isOld.has(i));
    } catch (error) {
      await failPart(part, error, rereads);
      return;
    }
    if (outdated.length > 0) await runPart(outdated, rereads + 1);
  };

  /**
   * Rejects the orders of a failed part. After an `internal_error`, the part is split instead, and each half
   * runs again, down to single orders. So a row that the database rejects fails only its own order.
   */
  const failPart = async (part: readonly PendingOrder[], error: unknown, rereads: number): Promise<void> => {
    counters.failed++;
    for (const { order } of part) cache.invalidate(order.packageId);
    const code = classifyFailure(error);
    if (code === 'outcome_unknown') {
      for (const { order } of part) credits.invalidate(order.packageId);
    }
    if (code === 'internal_error' && part.length > 1) {
      const middle = part.length >> 1;
      await runPart(part.slice(0, middle), rereads);
      await runPart(part.slice(middle), rereads);
      return;
    }
    for (const { reject } of part) reject(new LedgerFailure(code, error));
  };

  return runPart;
}

const createCounters = () => ({
  batches: 0,
  orders: 0,
  writes: 0,
  failed: 0,
  stale: 0,
  known: 0,
  unforeseen: 0,
  locked: 0,
});

/**
 * Calls `answer` at the end of the tick. Under overload a tick is long, and the next batch may be committed
 * before the tick ends. `answer` is then called before the next batch is answered, so that batches are
 * answered in order.
 */
function createAnswerLater(): (answer: () => void) => void {
  let postponed: (() => void) | undefined;
  return (answer) => {
    postponed?.();
    postponed = answer;
    setImmediate(() => {
      if (postponed !== answer) return;
      postponed = undefined;
      answer();
    });
  };
}

function splitByPackage(batch: readonly PendingOrder[]): PendingOrder[][] {
  const parts = new Map<number, PendingOrder[]>();
  for (const pending of batch) {
    const part = parts.get(pending.order.packageId);
    if (part) part.push(pending);
    else parts.set(pending.order.packageId, [pending]);
  }
  return [...parts.values()];
}
