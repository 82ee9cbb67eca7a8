// Stops the monotonic clock, so that time passes only when a test advances it.
import { performance } from 'node:perf_hooks';
import { onTestFinished, vi } from 'vitest';

export interface StandingClock {
  /** Advances the clock, as if the process had waited. */
  advance(ms: number): void;
}

/** Stops the clock of this process until the end of the test; timers still run in real time. */
export function stopClock(): StandingClock {
  // A whole number, so that sums and differences of times are exact. With a fraction, `(now + 300) - now` may
  // be less than 300.
  const stoppedAt = Math.ceil(performance.now());
  const readUtilization = performance.eventLoopUtilization.bind(performance);
  let passedMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => stoppedAt + passedMs);
  const utilization = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    const real = readUtilization();
    return { ...real, idle: real.idle + passedMs };
  });
  onTestFinished(() => {
    now.mockRestore();
    utilization.mockRestore();
  });
  return {
    advance: (ms) => {
      passedMs += ms;
    },
  };
}
