// A case of the certification: a rule of the dialects, and the steps that show whether a wallet keeps it.
import type { DialectName } from '../connections/dialects/dialect.ts';
import type { OtherCallers, Speaker } from './speaker.ts';
import type { Steps } from './steps.ts';

export interface CertificationCase<S extends Speaker = Speaker> {
  /** Unique, for programs and for the documentation. */
  readonly id: string;
  /** What is expected of the wallet, without a period. */
  readonly rule: string;
  /** What is wrong with a wallet that fails, without a period. */
  readonly fault: string;
  /** Whether the case bets the player's whole balance, which a maximum stake may prevent. */
  readonly stakesAll?: true;
  /** What the user of the command must name for this case. */
  readonly needs?: 'maxStake' | keyof OtherCallers;
  /** Throws `CaseFailed`. A case that passes leaves the balance as it was. */
  run(steps: Steps<S>): Promise<void>;
}

/** Cases and the dialects that they are for; all dialects if none is named. */
export interface CaseGroup {
  readonly dialects?: readonly DialectName[];
  readonly cases: readonly CertificationCase[];
}
