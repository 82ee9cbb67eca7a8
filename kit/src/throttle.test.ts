// The throttle lets the allowed failures pass, refuses the next, and forgets after its window.
import { describe, expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

describe('createThrottle', () => {
  it('limits after the allowed failures, per source, and says when to come back', () => {
    let time = 0;
    const throttle = createThrottle({ perMinute: 3, now: () => time });
    for (let i = 0; i < 3; i++) expect(throttle.fail('a').limited).toBe(false);
    time = 20_000;
    expect(throttle.fail('a')).toEqual({ limited: true, retryAfterSeconds: 40 });
    expect(throttle.isLimited('a')).toBe(true);
    expect(throttle.fail('b').limited).toBe(false);
  });

  it('slides: half a window later half of the failures count still', () => {
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

  it('is off at 0 and bounded in memory', () => {
    const off = createThrottle({ perMinute: 0 });
    for (let i = 0; i < 1000; i++) expect(off.fail('a').limited).toBe(false);
    const bounded = createThrottle({ perMinute: 1 });
    for (let i = 0; i < 60_000; i++) bounded.fail(`source ${i}`);
    expect(bounded.isLimited('source 0')).toBe(false);
    expect(bounded.isLimited('source 59999')).toBe(true);
  });
});
