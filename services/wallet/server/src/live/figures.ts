// Live figures as the stream sends them: the sums of each second in the last five minutes, and the totals.
import { formatMinor, type Unit } from '@counterfoil/kit/money';
import type { Second } from './queries.ts';
import type { Figures } from './watch-figures.ts';

const sum = (seconds: readonly Second[], pick: (second: Second) => bigint): bigint =>
  seconds.reduce((total, second) => total + pick(second), 0n);

/** `revenue` is the gross gaming revenue: bets minus wins minus rolled-back bets. */
export function presentFigures({ seconds, queue, latency, at }: Figures, unit: Unit) {
  const format = (minor: bigint) => formatMinor(minor, unit);
  const revenue = (second: Second) => second.bets - second.wins - second.rollbacks;
  return {
    at: at.toISOString(),
    currency: unit.currency,
    window_seconds: 300,
    bets: format(sum(seconds, (second) => second.bets)),
    wins: format(sum(seconds, (second) => second.wins)),
    given_back: format(sum(seconds, (second) => second.rollbacks)),
    revenue: format(sum(seconds, revenue)),
    movements: seconds.reduce((total, second) => total + second.movements, 0),
    refused: seconds.reduce((total, second) => total + second.refused, 0),
    queue,
    latency_ms: latency,
    seconds: seconds.map((second) => ({
      at: second.at,
      bets: format(second.bets),
      wins: format(second.wins),
      revenue: format(revenue(second)),
      movements: second.movements,
    })),
  };
}
