// One line of the scorecard: the fault, its figures, and its verdict.
import type { Violation } from '../checker/violation.ts';
import { type Fault, type FaultResult, type Figure, holds } from '../fault.ts';

export interface Score {
  readonly name: string;
  readonly group: string;
  readonly does: string;
  readonly verdict: 'holds' | 'BROKEN' | 'skipped';
  /** The reason why the fault was skipped or failed. */
  readonly remark: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  readonly violations: readonly Violation[];
}

type Described = Pick<Fault, 'name' | 'group' | 'does'>;

const describe = ({ name, group, does }: Described) => ({ name, group, does });

export function scoreResult(fault: Described, result: FaultResult, seconds: number): Score {
  const missed = result.figures.filter((figure) => !holds(figure)).map((figure) => figure.label);
  const isClean = result.violations.length === 0 && missed.length === 0;
  return {
    ...describe(fault),
    verdict: isClean ? 'holds' : 'BROKEN',
    remark: missed.length > 0 ? `missed: ${missed.join(', ')}` : '',
    seconds,
    ...result,
  };
}

export const scoreFailure = (fault: Described, error: unknown, seconds: number): Score => ({
  ...describe(fault),
  verdict: 'BROKEN',
  remark: error instanceof Error ? (error.stack ?? error.message) : String(error),
  seconds,
  figures: [],
  violations: [],
});

export const scoreSkipped = (fault: Described, reason: string): Score => ({
  ...describe(fault),
  verdict: 'skipped',
  remark: reason,
  seconds: 0,
  figures: [],
  violations: [],
});
