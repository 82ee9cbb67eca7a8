// The plot of validations has a value for every hour of the period; hours without validations are zero.
import { expect, it } from 'vitest';
import { dropRunningHour, fillHours } from './hours.ts';

it('the plot shows missing hours as zero and leaves the other hours unchanged', () => {
  const known = [{ hour: '2026-05-04T11:00:00Z', valid: 3, invalid: 1 }];
  const filled = fillHours(known, '2026-05-04T10:00:00.000Z', 3);
  expect(filled.map(({ valid, invalid }) => [valid, invalid])).toEqual([
    [0, 0],
    [3, 1],
    [0, 0],
  ]);
  expect(filled.map(({ hour }) => Date.parse(hour))).toEqual(
    ['10', '11', '12'].map((hour) => Date.parse(`2026-05-04T${hour}:00:00Z`)),
  );
});

it('the plot omits the current hour, but shows it if no other hour has validations', () => {
  const hour = (valid: number) => ({ hour: '2026-05-04T11:00:00Z', valid, invalid: 0 });
  expect(dropRunningHour([hour(0), hour(3), hour(1)])).toEqual([hour(0), hour(3)]);
  expect(dropRunningHour([hour(0), hour(0), hour(1)])).toHaveLength(3);
});
