// Sums the live figures of each second into steps of five seconds. Seconds that were not sent count as zero.
import type { Figures } from '../wire.ts';

const stepSeconds = 5;

export function fillSeconds(given: Pick<Figures, 'at' | 'window_seconds' | 'seconds'>) {
  const end = Math.floor(Date.parse(given.at) / 1000 / stepSeconds) * stepSeconds;
  const start = end - given.window_seconds + stepSeconds;
  const count = given.window_seconds / stepSeconds;
  const times = Array.from({ length: count }, (_, index) => start + index * stepSeconds);
  const [bets, wins] = [times.map(() => 0), times.map(() => 0)];
  for (const second of given.seconds) {
    const index = Math.floor((second.at - start) / stepSeconds);
    if (index < 0 || index >= count) continue;
    // Floating-point numbers are precise enough for the plot. The totals above the plot are exact.
    bets[index] = (bets[index] ?? 0) + Number(second.bets);
    wins[index] = (wins[index] ?? 0) + Number(second.wins);
  }
  return { times, bets, wins };
}
