// A finding of the doctor: the result of a check, and advice.

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** The name of the check, in a word or two. */
  readonly check: string;
  readonly level: Level;
  readonly says: string;
  /** The action that corrects the problem. It is absent for `ok`. */
  readonly advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });

const withAdvice =
  (level: Level) =>
  (check: string, says: string, advice: string): Finding => ({ check, level, says, advice });

export const warning = withAdvice('warning');
export const problem = withAdvice('problem');

/** Returns the worst level of the findings. */
export function findWorst(findings: readonly Finding[]): Level {
  const has = (level: Level) => findings.some((finding) => finding.level === level);
  return has('problem') ? 'problem' : has('warning') ? 'warning' : 'ok';
}
