// How an endpoint stands after a turn, and which of its events there is no hope for.

import type { Endpoint } from '../endpoints/endpoint.ts';
import { waitForEndpoint } from './backoff.ts';
import type { Attempted, LaneResults } from './ordered-queues.ts';

export interface Standing {
  readonly failingSince: Date | undefined;
  readonly failures: number;
  readonly pausedUntil: Date | undefined;
  readonly disabledReason: 'gone' | 'failing' | undefined;
}

export interface JudgedTurn {
  readonly endpoint: Endpoint;
  readonly results: LaneResults;
  readonly at: Date;
  readonly disableAfterMs: number;
}

const isDelivered = ({ result }: Attempted) => result.outcome === 'delivered';

/**
 * One event that a receiver refuses for days while it takes others is given up, so that its subject
 * goes on; it stays in the log, and can be sent again from there.
 */
export function isHopeless(attempted: Attempted, turn: JudgedTurn): boolean {
  const { waiting } = attempted;
  if (isDelivered(attempted) || !waiting) return false;
  if (turn.at.getTime() - waiting.since.getTime() < turn.disableAfterMs) return false;
  const { lastDeliveredAt } = turn.endpoint;
  const wasAlive = lastDeliveredAt !== undefined && lastDeliveredAt > waiting.since;
  return wasAlive || turn.results.attempted.some(isDelivered);
}

export function judgeTurn(turn: JudgedTurn): Standing {
  const { at, endpoint, results } = turn;
  const fine = { failingSince: undefined, failures: 0, pausedUntil: undefined };
  if (results.gone) return { ...fine, disabledReason: 'gone' };
  // What is given up says something of the event, not of the receiver.
  const telling = results.attempted.filter((each) => !isHopeless(each, turn));
  const isFine = telling.some(isDelivered) || telling.length < results.attempted.length;
  if (isFine) return { ...fine, disabledReason: undefined };
  const { failingSince: before, failures: turns } = endpoint;
  if (telling.length === 0) {
    const since = { failingSince: before, failures: turns };
    return { ...since, pausedUntil: undefined, disabledReason: undefined };
  }
  const failures = turns + 1;
  const failingSince = before ?? telling[0]?.at ?? at;
  const isTooLong = at.getTime() - failingSince.getTime() >= turn.disableAfterMs;
  return {
    failingSince,
    failures,
    pausedUntil: new Date(at.getTime() + waitForEndpoint(failures)),
    disabledReason: isTooLong ? 'failing' : undefined,
  };
}
