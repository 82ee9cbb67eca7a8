// New passwords: length after normalization, printable characters, and none of the most common passwords.
import { describe, expect, it } from 'vitest';
import { findPasswordProblem, normalisePassword } from './password.ts';

const problem = (password: string) => findPasswordProblem(password, 'adalovelace@example.com');

describe('findPasswordProblem', () => {
  it('findPasswordProblem accepts 10 to 200 characters, counted as characters and not as code units', () => {
    expect(problem('x'.repeat(4) + 'y'.repeat(5))).toContain('at least 10');
    expect(problem('x'.repeat(5) + 'y'.repeat(5))).toBeUndefined();
    expect(problem('🐴🔋'.repeat(4))).toContain('at least 10');
    expect(problem('🐴🔋'.repeat(5))).toBeUndefined();
    expect(problem('xy'.repeat(100))).toBeUndefined();
    expect(problem(`${'xy'.repeat(100)}z`)).toContain('at most 200');
  });

  it('the length limit applies after normalization, which may turn one ligature into 18 letters', () => {
    expect(problem('ﷺ'.repeat(20))).toContain('at most 200');
  });

  it.each(['\ud800correct horse', 'correct\u0000horse!', 'correct\nhorse!'])(
    'findPasswordProblem refuses %j, which contains characters that are not printable',
    (password) => expect(problem(password)).toContain('not allowed'),
  );

  it.each(['adalovelace@example.com', 'AdaLovelace@Example.com', 'adalovelace'])(
    'findPasswordProblem refuses %j, because it is the e-mail or the part before the @',
    (password) => expect(problem(password)).toBe('must not be your e-mail.'),
  );

  it.each(['1234567890', 'Password123', 'QWERTYUIOP', 'aaaaaaaaaaaa'])(
    'findPasswordProblem refuses %j, which is one of the most common passwords',
    (password) => expect(problem(password)).toContain('most common'),
  );

  it('findPasswordProblem normalizes composed and decomposed letters to the same text', () => {
    expect(normalisePassword('cafe\u0301 au lait')).toBe(normalisePassword('caf\u00e9 au lait'));
  });
});
