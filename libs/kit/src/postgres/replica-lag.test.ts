// The lag of a replica, computed from its replay position and the positions of the primary.
import { expect, it } from 'vitest';
import { measureLagMs } from './report-reader.ts';

const positions = [
  { at: 1000, position: 10n },
  { at: 2000, position: 20n },
  { at: 3000, position: 20n },
  { at: 4000, position: 30n },
];

it('the lag is the age of the newest position that the replica has replayed', () => {
  expect(measureLagMs(positions, 30n, 4200)).toBe(200);
  expect(measureLagMs(positions, 35n, 4200)).toBe(200);
  expect(measureLagMs(positions, 29n, 4200)).toBe(1200);
  expect(measureLagMs(positions, 10n, 4200)).toBe(3200);
});

it('the lag is unknown if no position is stored, or if the replica has replayed no stored position', () => {
  expect(measureLagMs(positions, 9n, 4200)).toBeUndefined();
  expect(measureLagMs([], 9n, 4200)).toBeUndefined();
});
