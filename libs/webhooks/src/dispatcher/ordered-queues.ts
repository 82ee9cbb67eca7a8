// Attempts to deliver the events of a run. Events of the same subject are sent one after another, and up to
// eight subjects are served at the same time.
import type { WebhookEvent } from '../outbox/event.ts';
import type { AttemptResult } from './send-attempt.ts';

const concurrency = 8;

export interface Job {
  readonly event: WebhookEvent;
  /** The number of failed attempts so far. */
  readonly attempts: number;
  /**
   * The row of the event in `webhook_waiting`. A new event, which comes after the cursor, has no such row.
   */
  readonly waiting?: { readonly id: bigint; readonly since: Date };
}

export interface Attempted extends Job {
  readonly at: Date;
  readonly result: AttemptResult & { readonly outcome: NonNullable<AttemptResult['outcome']> };
}

export interface QueueResults {
  readonly attempted: readonly Attempted[];
  /**
   * Events without a result: an earlier event of their subject failed, the run ended, or the attempt was
   * aborted.
   */
  readonly left: readonly Job[];
  /** Whether the receiver answered 410. */
  readonly gone: boolean;
}

/**
 * Runs one queue per subject. A queue ends at its first failure. All queues end when `isOver` returns true,
 * and when the receiver answers 410.
 */
export async function runQueues(
  jobs: readonly Job[],
  terms: { send: (job: Job) => Promise<AttemptResult>; now: () => Date; isOver: () => boolean },
): Promise<QueueResults> {
  const queues = new Map<string, Job[]>();
  for (const job of jobs) {
    const queue = queues.get(job.event.subject);
    if (queue) queue.push(job);
    else queues.set(job.event.subject, [job]);
  }
  const pending = [...queues.values()];
  const attempted: Attempted[] = [];
  const left = new Set(jobs);
  let gone = false;

  const runQueue = async (queue: readonly Job[]): Promise<void> => {
    for (const job of queue) {
      if (gone || terms.isOver()) return;
      const at = terms.now();
      const result = await terms.send(job);
      const { outcome } = result;
      if (outcome === undefined) return;
      left.delete(job);
      attempted.push({ ...job, at, result: { ...result, outcome } });
      if (result.status === 410) gone = true;
      if (outcome !== 'delivered') return;
    }
  };
  const work = async (): Promise<void> => {
    for (let queue = pending.shift(); queue; queue = pending.shift()) await runQueue(queue);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { attempted, left: [...left], gone };
}
