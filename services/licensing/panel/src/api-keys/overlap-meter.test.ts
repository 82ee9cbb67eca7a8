// A replaced key is safe to revoke if it was never used, or after an hour without use.
import { expect, it } from 'vitest';
import { measureQuiet } from './overlap-meter.tsx';

const now = Date.parse('2026-05-04T10:00:00Z');
const usedAt = (at: string) => measureQuiet({ last_used: { at, address: '10.0.0.1' } }, now);

it('a replaced key is safe to revoke if it was never used, or not used for the last hour', () => {
  expect(usedAt('2026-05-04T09:00:01Z').isSafe).toBe(false);
  expect(usedAt('2026-05-04T09:00:00Z')).toMatchObject({ isSafe: true, part: 1 });
  expect(usedAt('2026-05-04T09:30:00Z').part).toBe(0.5);
  expect(measureQuiet({}, now)).toMatchObject({ isSafe: true, isUnused: true });
});

it('a replaced key counts as in use if its last use is in the future because of a wrong clock', () => {
  expect(usedAt('2026-05-04T10:00:05Z')).toMatchObject({ isSafe: false, part: 0 });
});
