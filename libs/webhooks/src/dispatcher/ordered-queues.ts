// A turn's attempts: subjects side by side, within a subject one after the other, each in its order.
import type { WebhookEvent } from '../outbox/event.ts';
import type { AttemptResult } from './send-attempt.ts';

const atATime = 8;

export interface Job {
  readonly event: WebhookEvent;
  /** In vain so far. */
  readonly attempts: number;
  /** Of an event that the cursor has passed. */
  readonly waiting?: { readonly id: bigint; readonly since: Date };
}

export interface Attempted extends Job {
  readonly at: Date;
  readonly result: AttemptResult & { readonly outcome: NonNullable<AttemptResult['outcome']> };
}

export interface LaneResults {
  readonly attempted: readonly Attempted[];
  /** Not tried: behind a failure of their subject, or the turn was over. */
  readonly left: readonly Job[];
  /** The receiver said that it is no longer there. */
  readonly gone: boolean;
}

/** A lane ends at its first failure; all of them end when `isOver` says so. */
export async function runLanes(
  jobs: readonly Job[],
  terms: { send: (job: Job) => Promise<AttemptResult>; now: () => Date; isOver: () => boolean },
): Promise<LaneResults> {
  const lanes = new Map<string, Job[]>();
  for (const job of jobs) {
    const lane = lanes.get(job.event.subject);
    if (lane) lane.push(job);
    else lanes.set(job.event.subject, [job]);
  }
  const queue = [...lanes.values()];
  const attempted: Attempted[] = [];
  const left = new Set(jobs);
  let gone = false;

  const runLane = async (lane: readonly Job[]): Promise<void> => {
    for (const job of lane) {
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
    for (let lane = queue.shift(); lane; lane = queue.shift()) await runLane(lane);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { attempted, left: [...left], gone };
}
