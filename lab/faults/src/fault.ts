// What a fault is: a name, what it does to the running system, and the figures that it came to.

import { moneyDeadlineMs } from './checker/check-deadlines.ts';
import type { Verdict } from './checker/check-test-run.ts';
import type { Violation } from './checker/violation.ts';
import type { EnvironmentOptions, TestEnvironment } from './environment/test-environment.ts';

/** One number of the scorecard, with the bar that it must keep where there is one. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface FaultResult {
  readonly figures: readonly Figure[];
  readonly violations: readonly Violation[];
}

export interface Fault {
  readonly name: string;
  /** All checks of a group are run by the group's name. */
  readonly group: 'service' | 'database' | 'network' | 'callers' | 'limits' | 'long' | 'planted';
  /** What is done to the system, in one sentence. */
  readonly does: string;
  /** How the scene is set, where it differs from the usual. */
  readonly environment?: EnvironmentOptions;
  /** Says why it cannot be run here, such as a program that is missing. */
  readonly missing?: () => Promise<string | undefined>;
  run(environment: TestEnvironment): Promise<FaultResult>;
}

export const holds = ({ value, atMost, atLeast }: Figure): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);

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
