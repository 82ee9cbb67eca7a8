// Adds up the verdicts of a fault's episodes into the figures of its line.
import { moneyDeadlineMs } from './checker/check-deadlines.ts';
import type { Verdict } from './checker/check-test-run.ts';
import type { FaultResult, Figure } from './fault.ts';

export function toResult(
  verdicts: readonly Verdict[],
  figures: readonly Figure[] = [],
): FaultResult {
  const sum = (pick: (verdict: Verdict) => number) =>
    verdicts.reduce((total, verdict) => total + pick(verdict), 0);
  return {
    figures: [
      { label: 'acknowledged', value: sum(({ tally }) => tally.acknowledged), atLeast: 1 },
      { label: 'refused', value: sum(({ tally }) => tally.refused) },
      { label: 'unknown outcomes', value: sum(({ tally }) => tally.unknown) },
      {
        label: 'slowest answer',
        value: Math.max(...verdicts.map(({ tally }) => tally.slowestMs)),
        unit: 'ms',
        atMost: moneyDeadlineMs,
      },
      ...figures,
    ],
    violations: verdicts.flatMap(({ violations }) => violations),
  };
}
