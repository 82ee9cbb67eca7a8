// A game list with at most half of the games of the last good list is accepted only under certain conditions.

import { describe, expect, it } from 'vitest';
import { classifyCatalogue } from './catalogue.ts';

const now = new Date('2026-01-01T12:00:00Z');

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const classify = (given: Partial<Parameters<typeof classifyCatalogue>[0]>) =>
  classifyCatalogue({
    total: 10,
    before: undefined,
    suspicion: undefined,
    accepted: undefined,
    now,
    ...given,
  });

describe('a list is classified by its size', () => {
  it.each([
    [1, undefined, 'good'],
    [0, undefined, 'suspect'],
    [0, 0, 'suspect'],
    [51, 100, 'good'],
    [50, 100, 'suspect'],
    [1, 1, 'good'],
    [1, 2, 'suspect'],
    [300, 100, 'good'],
  ] as const)('a list of %i games (games in the previous list: %s) is %s', (total, before, verdict) => {
    expect(classify({ total, before })).toBe(verdict);
  });
});

describe('a much smaller list is classified by the time for which its source has sent it', () => {
  it.each([
    [9.99, 'suspect'],
    [10, 'good'],
    [600, 'good'],
  ] as const)('a much smaller list that its source has sent for %d minutes is %s', (minutes, verdict) => {
    const suspicion = { since: minutesAgo(minutes), total: 3 };
    expect(classify({ total: 2, before: 100, suspicion })).toBe(verdict);
    expect(classify({ total: 0, before: 100, suspicion })).toBe(verdict);
  });
});

describe('a much smaller list is classified by the size that an administrator accepted', () => {
  it.each([
    [0, 0, 'good'],
    [5, 5, 'good'],
    [6, 5, 'good'],
    [4, 5, 'suspect'],
  ] as const)(
    'a list of %i games (size that an administrator accepted: %i) is %s',
    (total, accepted, verdict) => {
      expect(classify({ total, before: 100, accepted })).toBe(verdict);
    },
  );
});
