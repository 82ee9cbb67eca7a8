// The throttle limits a source after a number of failures. A failure counts for at least one minute and for
// less than two minutes.
import { describe, expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

describe('createThrottle', () => {
  it('the throttle limits each source after the allowed failures, and returns the seconds to wait', () => {
    let time = 0;
    const throttle = createThrottle({ perMinute: 3, now: () => time });
    for (let i = 0; i < 3; i++) expect(throttle.fail('a').limited).toBe(false);
    time = 20_000;
    expect(throttle.fail('a')).toEqual({ limited: true, retryAfterSeconds: 40 });
    expect(throttle.isLimited('a')).toBe(true);
    expect(throttle.fail('b').limited).toBe(false);
  });

  it('halfway through a minute, each failure of the minute before counts as half a failure', () => {
    let time = 0;
    const throttle = createThrottle({ perMinute: 4, now: () => time });
    for (let i = 0; i < 4; i++) throttle.fail('a');
    time = 90_000;
    expect(throttle.fail('a').limited).toBe(false);
    expect(throttle.fail('a').limited).toBe(false);
    expect(throttle.fail('a').limited).toBe(true);
    time = 400_000;
    expect(throttle.isLimited('a')).toBe(false);
  });

  it('failures count fully in their own minute, partly in the next minute, and then no longer', () => {
    let time = 0;
    const throttle = createThrottle({ perMinute: 3, now: () => time });
    const failFourTimes = (source: string) => [1, 2, 3, 4].map(() => throttle.fail(source).limited);
    expect(failFourTimes('a')).toEqual([false, false, false, true]);
    expect(failFourTimes('b')).toEqual([false, false, false, true]);
    time = 60_000;
    expect(throttle.fail('a')).toEqual({ limited: true, retryAfterSeconds: 60 });
    time = 119_999;
    expect(throttle.fail('a')).toEqual({ limited: false });
    time = 120_000;
    expect(failFourTimes('b')).toEqual([false, false, false, true]);
  });

  it.each([
    [0, 60],
    [999, 60],
    [1000, 59],
    [59_000, 1],
    [59_999, 1],
  ])('%i ms after the start of a minute, the time to wait is %i s', (at, retryAfterSeconds) => {
    let time = 0;
    const throttle = createThrottle({ perMinute: 1, now: () => time });
    throttle.fail('a');
    time = at;
    expect(throttle.fail('a')).toEqual({ limited: true, retryAfterSeconds });
  });

  it('`clear` resets the failures of a source, and `isLimited` counts no failure', () => {
    const throttle = createThrottle({ perMinute: 2, now: () => 0 });
    throttle.fail('a');
    expect([throttle.isLimited('a'), throttle.isLimited('a')]).toEqual([false, false]);
    throttle.fail('a');
    expect(throttle.isLimited('a')).toBe(true);
    throttle.clear('a');
    expect(throttle.isLimited('a')).toBe(false);
  });

  it('with 50,000 stored sources, a new failure evicts the oldest source, but `isLimited` does not', () => {
    const throttle = createThrottle({ perMinute: 1, now: () => 0 });
    for (let i = 0; i < 50_000; i++) throttle.fail(`source ${i}`);
    expect(throttle.isLimited('stranger')).toBe(false);
    expect(throttle.isLimited('source 0')).toBe(true);
    throttle.fail('one more');
    const known = ['source 0', 'source 1', 'source 49999', 'one more'].map(throttle.isLimited);
    expect(known).toEqual([false, true, true, true]);
  });

  it('a limit of 0 limits nothing; of 60,000 sources, the throttle evicts the oldest', () => {
    const off = createThrottle({ perMinute: 0 });
    for (let i = 0; i < 1000; i++) expect(off.fail('a').limited).toBe(false);
    expect(off.isLimited('a')).toBe(false);
    const bounded = createThrottle({ perMinute: 1 });
    for (let i = 0; i < 60_000; i++) bounded.fail(`source ${i}`);
    expect(bounded.isLimited('source 0')).toBe(false);
    expect(bounded.isLimited('source 59999')).toBe(true);
  });
});
