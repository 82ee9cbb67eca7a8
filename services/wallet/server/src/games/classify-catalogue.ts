// Whether a list may replace the one before: an empty or halved one is seldom meant.

/** How long a source must say so before it is believed. */
const believedAfterMs = 10 * 60_000;

export interface Suspicion {
  readonly since: Date;
  readonly total: number;
}

export function judgeCatalogue(given: {
  total: number;
  /** Of the last good list of the same source. */
  before: number | undefined;
  suspicion: Suspicion | undefined;
  /** The size that an administrator takes, though it shrank. */
  accepted: number | undefined;
  now: Date;
}): 'good' | 'suspect' {
  const { total, before = 0, suspicion, accepted, now } = given;
  if (total > 0 && total * 2 > before) return 'good';
  if (accepted !== undefined && total >= accepted) return 'good';
  const saidForMs = suspicion ? now.getTime() - suspicion.since.getTime() : 0;
  return suspicion && saidForMs >= believedAfterMs ? 'good' : 'suspect';
}
