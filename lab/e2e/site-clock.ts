// The clock of a service under test: it follows the browser's until a test moves or stops it.

export interface SiteClock {
  /** How far the service's clock is ahead of the browser's. */
  ms: number;
  /** While set, the service's clock is stopped at this time. */
  stoppedAtMs?: number;
}

/** Makes `clock` follow the returned settings. */
export function controlClock(clock: { now: Date }): SiteClock {
  const ahead: SiteClock = { ms: 0 };
  const now = () => new Date((ahead.stoppedAtMs ?? Date.now()) + ahead.ms);
  Object.defineProperty(clock, 'now', { get: now });
  return ahead;
}
