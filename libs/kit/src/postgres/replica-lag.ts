// How far a replica is behind, measured against where the primary stood: at most this old.

/** Where the primary's log ended at some time. */
export interface LogPlace {
  readonly at: number;
  readonly place: bigint;
}

/**
 * `places` are of the primary, oldest first. What the replica has replayed reaches back to the newest
 * of them that it contains; a replica that hears nothing any more falls behind as time passes, which
 * its own clock would not tell. Undefined when it is behind all of them.
 */
export function measureLagMs(
  places: readonly LogPlace[],
  replayed: bigint,
  now: number,
): number | undefined {
  for (let i = places.length - 1; i >= 0; i--) {
    const known = places[i];
    if (known && known.place <= replayed) return Math.max(0, now - known.at);
  }
  return undefined;
}
