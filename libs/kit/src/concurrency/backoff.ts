// The pause before a failed attempt is repeated: it doubles with each failure, up to a limit.

/**
 * Returns the pause after this number of failures. Each failure doubles the pause, up to the longest pause.
 * The result is shortened at random by up to a fifth.
 */
export const backoffMs = (failures: number, limits: { firstMs: number; longestMs: number }): number =>
  Math.min(limits.firstMs * 2 ** Math.min(failures - 1, 20), limits.longestMs) * (1 - Math.random() / 5);
