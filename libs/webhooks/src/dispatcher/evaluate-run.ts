// Decides the state of an endpoint after a delivery run, and the pauses after failures.
import { backoffMs } from '@counterfoil/kit/concurrency/backoff';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Attempted, QueueResults } from './ordered-queues.ts';

export interface Standing {
  readonly failingSince: Date | undefined;
  readonly failures: number;
  readonly pausedUntil: Date | undefined;
  readonly disabledReason: 'gone' | 'failing' | undefined;
}

export interface EvaluatedRun {
  readonly endpoint: Endpoint;
  readonly results: QueueResults;
  readonly at: Date;
  readonly disableAfterMs: number;
}

const isDelivered = ({ result }: Attempted) => result.outcome === 'delivered';

/**
 * Whether an event is given up. This happens if the event has failed for at least `disableAfterMs`, but the
 * receiver has accepted other events in that time. Later events of the same subject can then be sent. The
 * event stays in the log, from which it can be sent again.
 */
export function isHopeless(attempted: Attempted, run: EvaluatedRun): boolean {
  const { waiting } = attempted;
  if (isDelivered(attempted) || !waiting) return false;
  if (run.at.getTime() - waiting.since.getTime() < run.disableAfterMs) return false;
  const { lastDeliveredAt } = run.endpoint;
  const wasAlive = lastDeliveredAt !== undefined && lastDeliveredAt > waiting.since;
  return wasAlive || run.results.attempted.some(isDelivered);
}

export function evaluateRun(run: EvaluatedRun): Standing {
  const { at, endpoint, results } = run;
  const fine = { failingSince: undefined, failures: 0, pausedUntil: undefined };
  if (results.gone) return { ...fine, disabledReason: 'gone' };
  // An event that is given up does not count as a failure of the receiver.
  const relevant = results.attempted.filter((each) => !isHopeless(each, run));
  const isFine = relevant.some(isDelivered) || relevant.length < results.attempted.length;
  if (isFine) return { ...fine, disabledReason: undefined };
  const { failingSince: before, failures: runs } = endpoint;
  if (relevant.length === 0) {
    const since = { failingSince: before, failures: runs };
    return { ...since, pausedUntil: undefined, disabledReason: undefined };
  }
  const failures = runs + 1;
  const failingSince = before ?? relevant[0]?.at ?? at;
  const isTooLong = at.getTime() - failingSince.getTime() >= run.disableAfterMs;
  return {
    failingSince,
    failures,
    pausedUntil: new Date(at.getTime() + waitForEndpoint(failures)),
    disabledReason: isTooLong ? 'failing' : undefined,
  };
}

const firstMs = 5_000;
const longestMs = 3_600_000;
const longestPauseMs = 300_000;

const wait = (failures: number, longest: number): number =>
  backoffMs(failures, { firstMs, longestMs: longest });

/** The pause before an event is sent again. The receiver's `Retry-After` header extends it, up to an hour. */
export const waitForEvent = (attempts: number, retryAfterMs = 0): number =>
  Math.round(Math.max(wait(attempts, longestMs), Math.min(retryAfterMs, longestMs)));

/**
 * The pause of an endpoint after a run in which no delivery succeeded. The pause is at most 5 minutes, so
 * that events are soon sent again after the receiver has recovered.
 */
const waitForEndpoint = (failures: number): number => Math.round(wait(failures, longestPauseMs));
