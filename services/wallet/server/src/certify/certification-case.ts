// A case of the certification: a rule of the dialects, and the steps that show whether a wallet follows the
// rule.
import type { DialectName } from '../connections/dialects/dialect.ts';
import type { OtherCallers, Speaker } from './speaker.ts';
import type { Steps } from './steps.ts';

/**
 * The kinds of cases. Every dialect has cases of the first eight kinds, with two exceptions: Hub88 has no
 * batches, and Valkyrie has no reversals of wins.
 */
export const caseKinds = [
  'repeats',
  'order',
  'tombstones',
  'batches',
  'reversals',
  'limits',
  'signatures',
  'bodies',
  'money',
  'players',
  'rounds',
] as const;

export interface CertificationCase<S extends Speaker = Speaker> {
  /** A unique name of the case, for programs and for the documentation. */
  readonly id: string;
  readonly kind: (typeof caseKinds)[number];
  /** The behaviour that the wallet must show, as a sentence without a period. */
  readonly rule: string;
  /** The wallet's fault that a failure of this case shows, as a sentence without a period. */
  readonly fault: string;
  /** Whether the case bets the player's whole balance. A maximum stake may prevent this bet. */
  readonly stakesAll?: true;
  /**
   * The option that the user of the command must give for this case. Without the option, the case is skipped.
   */
  readonly needs?: 'maxStake' | keyof OtherCallers;
  /**
   * Runs the case, and throws `CaseFailed` if a step fails. A case that passes leaves the balance unchanged.
   */
  run(steps: Steps<S>): Promise<void>;
}

/** Cases, and the dialects for which they run. If no dialect is named, the cases run for all dialects. */
export interface CaseGroup {
  readonly dialects?: readonly DialectName[];
  readonly cases: readonly CertificationCase[];
}
