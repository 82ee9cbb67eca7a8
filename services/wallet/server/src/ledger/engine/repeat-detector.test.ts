// After a repeat of an old id, the next eight batches look up their ids.
import { expect, it } from 'vitest';
import { createRepeatDetector } from './repeat-detector.ts';

/** The number of batches that look up their ids before the detector expects no further repeat. */
function countLookUps(detector: ReturnType<typeof createRepeatDetector>): number {
  let count = 0;
  for (; detector.areLikely() && count < 100; count++) detector.record(false);
  return count;
}

it('no repeat is expected at the start, nor after a batch without a repeat', () => {
  const detector = createRepeatDetector();
  expect(detector.areLikely()).toBe(false);
  detector.record(false);
  expect(detector.areLikely()).toBe(false);
});

it('each repeat makes the next eight batches look up their ids', () => {
  const detector = createRepeatDetector();
  detector.record(true);
  detector.record(false);
  detector.record(true);
  expect(countLookUps(detector)).toBe(8);
  detector.record(true);
  expect(countLookUps(detector)).toBe(8);
});
