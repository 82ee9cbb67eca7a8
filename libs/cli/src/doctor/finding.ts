// What the doctor says of one thing: how it is, and what to do about it.

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly level: Level;
  readonly says: string;
  /** What to do about it; of what is no ok. */
  readonly advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });

export const warning = (check: string, says: string, advice: string): Finding => ({
  check,
  level: 'warning',
  says,
  advice,
});

export const problem = (check: string, says: string, advice: string): Finding => ({
  check,
  level: 'problem',
  says,
  advice,
});

/** The worst of them. */
export function findWorst(findings: readonly Finding[]): Level {
  const has = (level: Level) => findings.some((finding) => finding.level === level);
  return has('problem') ? 'problem' : has('warning') ? 'warning' : 'ok';
}
