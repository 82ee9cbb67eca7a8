// The clock of a service under test, which follows the real time until a test moves or stops it.

export interface SiteClock {
  /** The number of milliseconds by which the service's clock is ahead of the browser's clock. */
  ms: number;
  /** If set, the service's clock is stopped at this time plus `ms`. */
  stoppedAtMs?: number;
}

/** Returns settings that control `clock`. A test changes the settings to move or stop the clock. */
export function controlClock(clock: { now: Date }): SiteClock {
  const ahead: SiteClock = { ms: 0 };
  const now = () => new Date((ahead.stoppedAtMs ?? Date.now()) + ahead.ms);
  Object.defineProperty(clock, 'now', { get: now });
  return ahead;
}
