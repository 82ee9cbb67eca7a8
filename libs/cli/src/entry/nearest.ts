// Finds the known word that is most similar to an unknown word.

const maxDistance = 3;

/** Counts the edits that turn `a` into `b`: insert, drop or replace a letter, or swap two neighbours. */
function measureDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] as number[];
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/**
 * Returns a word that begins with `given`, otherwise the most similar word, or undefined if no word is
 * similar.
 */
export function findNearest(given: string, words: readonly string[]): string | undefined {
  // A text of more than 64 characters is longer than any verb or setting, so no word is similar to it.
  if (given.length > 64) return undefined;
  const begun = words.find((word) => given.length >= 2 && word.startsWith(given));
  if (begun !== undefined) return begun;
  const ranked = words
    .map((word) => ({ word, distance: measureDistance(given, word) }))
    .filter(({ word, distance }) => distance <= Math.min(maxDistance, word.length / 2))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}
