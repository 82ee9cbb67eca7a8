// The scorecard: the verdict of a line, the page, and when a new line replaces a saved line.
import { describe, expect, it } from 'vitest';
import { violation } from '../checker/violation.ts';
import type { Figure } from '../fault.ts';
import { addUpFigure, listReached } from './promises.ts';
import { renderLines, renderPage } from './render.ts';
import { chooseScore } from './results-file.ts';
import { scoreFailure, scoreResult, scoreSkipped } from './score.ts';

const fault = { name: 'pull-plug', group: 'service', does: 'pulls the plug' } as const;
const planted = { ...fault, name: 'planted-bug', group: 'planted' } as const;
const figure = (label: string, value: number, bar: Partial<Figure> = {}): Figure => ({
  label,
  value,
  ...bar,
});
const clean = (figures: Figure[]) => ({ figures, violations: [] });
const where = { commit: 'abc1234', machine: 'linux', date: '2026-05-04', quick: false };

describe('a line of the scorecard', () => {
  it('a line has the verdict “holds” if nothing is violated and all figures are within their limits', () => {
    const score = scoreResult(fault, clean([figure('slowest', 9, { atMost: 9 })]), 2);
    expect(score.verdict).toBe('holds');
  });

  it.each([
    ['a figure above its limit', clean([figure('slowest', 10, { atMost: 9 })])],
    ['a figure below its limit', clean([figure('kills', 1, { atLeast: 2 })])],
    ['a violation', { figures: [], violations: [violation('I1', 'c7 is gone')] }],
  ])('a line has the verdict “BROKEN” because of %s', (_title, result) => {
    expect(scoreResult(fault, result, 2).verdict).toBe('BROKEN');
  });

  it('a line names the violated invariant and the order', () => {
    const result = { figures: [], violations: [violation('I1', 'c7 is gone')] };
    expect(renderLines(scoreResult(fault, result, 2)).join('\n')).toContain('I1: c7 is gone');
  });

  it('a line has the verdict “BROKEN” if the run failed, and shows the reason', () => {
    const score = scoreFailure(fault, new Error('no answer'), 1);
    expect(score.verdict).toBe('BROKEN');
    expect(renderLines(score).join('\n')).toContain('no answer');
  });

  it('a line names the missing requirement if the fault was skipped', () => {
    expect(renderLines(scoreSkipped(fault, 'needs strace')).join('\n')).toContain('needs strace');
  });
});

describe('the page of the scorecard', () => {
  const scores = [
    scoreResult(fault, clean([figure('acknowledged', 400), figure('kills', 3)]), 2),
    scoreResult(planted, clean([figure('acknowledged', 1000)]), 2),
  ];

  it('the page adds up the figures of all faults except planted bugs', () => {
    expect(addUpFigure(scores, 'acknowledged')).toBe(400);
  });

  it('the page shows the number of lost or doubled orders', () => {
    const lost = { figures: [], violations: [violation('I1', 'c7 is gone')] };
    const page = renderPage([{ ...scoreResult(fault, lost, 2), ...where }]);
    expect(page).toContain('1 orders lost or doubled, 1 violations');
  });

  it('the page names the command that writes the page, and the commit and machine of each line', () => {
    const page = renderPage(scores.map((score) => ({ ...score, ...where })));
    expect(page).toContain('npm run faults -- --write');
    expect(page).toContain('| `pull-plug` | pulls the plug | acknowledged 400; kills 3 | holds |');
    expect(page).toContain('abc1234, 2026-05-04, linux');
  });

  it.each([
    ['200 kills: NOT reached (199); 1,000,000 acknowledged movements: NOT reached', 199, 999_999],
    ['200 kills: reached (200); 1,000,000 acknowledged movements: reached', 200, 1_000_000],
  ])('the page starts with: %s', (sentence, kills, acknowledged) => {
    const figures = [figure('kills', kills), figure('acknowledged', acknowledged)];
    const page = renderPage([{ ...scoreResult(fault, clean(figures), 2), ...where }]);
    expect(page.split('\n').slice(0, 4).join('\n')).toContain(sentence);
  });

  it('the page counts neither results of quick runs nor planted bugs towards the requirements', () => {
    const saved = scores.map((score) => ({ ...score, ...where, quick: true }));
    expect(listReached(saved).map(({ value }) => value)).toEqual([0, 0]);
    expect(listReached(scores).map(({ value }) => value)).toEqual([3, 400]);
  });
});

describe('a saved line of the scorecard', () => {
  const result = scoreResult(fault, clean([]), 2);
  const full = { ...result, ...where };
  const quick = { ...full, quick: true };
  const broken = { ...full, verdict: 'BROKEN' as const };
  const skipped = { ...full, verdict: 'skipped' as const };

  it.each([
    ['a quick line', full, quick],
    ['a broken quick line', full, { ...broken, quick: true }],
    ['a skipped line', broken, skipped],
    ['a skipped quick line', quick, { ...skipped, quick: true }],
  ])('a saved line of the scorecard is not replaced by %s', (_title, before, now) => {
    expect(chooseScore(before, now)).toBe(before);
  });

  it.each([
    ['a full line by a broken full line', full, broken],
    ['a quick line by a full line', quick, full],
    ['a quick line by a newer quick line', quick, { ...quick, commit: 'def5678' }],
    ['a skipped line by any other line', skipped, quick],
    ['a missing line by any line', undefined, quick],
  ])('a saved line of the scorecard is replaced (%s)', (_title, before, now) => {
    expect(chooseScore(before, now)).toBe(now);
  });
});
