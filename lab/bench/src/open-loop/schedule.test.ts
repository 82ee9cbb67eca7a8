// Requests are due at a constant rate, whether or not earlier requests were answered.
import { expect, it } from 'vitest';
import { createSchedule } from './schedule.ts';

it('the first request is due immediately, and the other requests at equal intervals', () => {
  const schedule = createSchedule([{ perSecond: 1000, seconds: 2 }]);
  expect([0, 1, 1999].map(schedule.timeOf)).toEqual([0, 1, 1999]);
  expect([0, 0.5, 1, 1.5, 10].map(schedule.dueBy)).toEqual([1, 1, 2, 2, 11]);
});

it('dueBy() counts a request at the time that timeOf() returns for it, and not earlier', () => {
  const schedule = createSchedule([{ perSecond: 7919, seconds: 1 }]);
  for (let n = 0; n < schedule.total; n++) {
    expect(schedule.dueBy(schedule.timeOf(n))).toBe(n + 1);
    if (n > 0) expect(schedule.dueBy(schedule.timeOf(n) - 0.001)).toBe(n);
  }
});

it('the requests that become due while the generator pauses keep their due times', () => {
  const schedule = createSchedule([{ perSecond: 100, seconds: 10 }]);
  expect(schedule.dueBy(5000) - schedule.dueBy(1000)).toBe(400);
  expect(schedule.timeOf(300)).toBe(3000);
});

it('the number of requests is rate × duration, and no request is due before the start', () => {
  const schedule = createSchedule([{ perSecond: 1.5, seconds: 10 }]);
  expect([schedule.total, schedule.dueBy(1e9), schedule.dueBy(-1)]).toEqual([15, 15, 0]);
});

it('the second rate starts when the first rate ends, without a gap or a repeated request', () => {
  const schedule = createSchedule([
    { perSecond: 100, seconds: 2 },
    { perSecond: 10, seconds: 1 },
  ]);
  expect(schedule.total).toBe(210);
  expect([199, 200, 201].map(schedule.timeOf)).toEqual([1990, 2000, 2100]);
  expect([1999, 2000, 2100, 5000].map(schedule.dueBy)).toEqual([200, 201, 202, 210]);
});
