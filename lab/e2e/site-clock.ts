// The clock of a service under test: the browser's, until a story moves it on or stops it.

export interface SiteClock {
  /** How far the service's clock is before the browser's. */
  ms: number;
  /** While it is set, the service's clock stands still at this time. */
  stoppedAtMs?: number;
}

/** Lets `clock` follow the settings of the site clock that it returns. */
export function controlClock(clock: { now: Date }): SiteClock {
  const ahead: SiteClock = { ms: 0 };
  const now = () => new Date((ahead.stoppedAtMs ?? Date.now()) + ahead.ms);
  Object.defineProperty(clock, 'now', { get: now });
  return ahead;
}
