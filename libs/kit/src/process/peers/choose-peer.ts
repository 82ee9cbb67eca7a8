// Chooses the process that is responsible for a key, so that all processes choose the same one.

/**
 * Rendezvous hashing: every process computes a score for each key and each process number, and the highest
 * score wins. If a process ends, only its own keys move to other processes.
 */
export function choosePeer(key: number, numbers: readonly number[]): number {
  let [best, bestScore] = [0, -1];
  for (const number of numbers) {
    const score = scoreOf(key, number);
    if (score <= bestScore) continue;
    best = number;
    bestScore = score;
  }
  return best;
}

/** The finalizer of MurmurHash3, which changes every bit of the result with a chance of one half. */
function scoreOf(key: number, number: number): number {
  let mixed = Math.imul(key, 0x9e3779b1) ^ Math.imul(number, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
