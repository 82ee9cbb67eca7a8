// The type of a fault: its name, its effect on the system, and the figures of its result.

import { moneyDeadlineMs } from './checker/check-deadlines.ts';
import type { Verdict } from './checker/check-test-run.ts';
import type { Violation } from './checker/violation.ts';
import type { EnvironmentOptions, TestEnvironment } from './environment/test-environment.ts';

/** One number of the scorecard, with its limit if it has one. */
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
  /** `npm run faults -- <group>` runs all faults of a group. */
  readonly group: 'service' | 'database' | 'network' | 'callers' | 'limits' | 'long' | 'planted';
  /** The effect of the fault on the system, for the scorecard. */
  readonly does: string;
  /** Options of the test environment that differ from the defaults. */
  readonly environment?: EnvironmentOptions;
  /**
   * Resolves with the reason why the fault cannot run here, such as a missing program; else with undefined.
   */
  readonly missing?: () => Promise<string | undefined>;
  run(environment: TestEnvironment): Promise<FaultResult>;
}

export const holds = ({ value, atMost, atLeast }: Figure): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);

export function toResult(verdicts: readonly Verdict[], figures: readonly Figure[] = []): FaultResult {
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
