// Percentiles, slopes and gaps of measurements.

/** The nearest-rank percentile of sorted values. */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.ceil(part * sorted.length);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] as number;
}

/** The slope of the least-squares line through the points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  if (points.length < 2) return Number.NaN;
  const mean = (pick: 0 | 1) => points.reduce((sum, each) => sum + each[pick], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  let above = 0;
  let below = 0;
  for (const [x, y] of points) {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  }
  return above / below;
}

/**
 * The longest gap between successive times. The gaps before the first time and after the last time count too.
 */
export function longestGap(sortedTimes: ArrayLike<number>, edges: { start: number; end: number }): number {
  let longest = 0;
  let last = edges.start;
  for (let i = 0; i < sortedTimes.length; i++) {
    const time = sortedTimes[i] as number;
    if (time > edges.end) break;
    longest = Math.max(longest, time - last);
    last = time;
  }
  return Math.max(longest, edges.end - last);
}
