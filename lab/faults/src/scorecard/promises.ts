// How much a whole run must have done before its page may speak for the system.
import type { Score } from './score.ts';

/** The sum of one figure over all checks of the system itself; planted bugs do not count. */
export const addUpFigure = (scores: readonly Score[], label: string): number =>
  scores
    .filter((score) => score.group !== 'planted')
    .flatMap((score) => score.figures)
    .filter((figure) => figure.label === label)
    .reduce((sum, figure) => sum + figure.value, 0);

const promises = [
  { label: 'kills', wanted: 200, words: 'kills' },
  { label: 'acknowledged', wanted: 1_000_000, words: 'acknowledged movements' },
] as const;

export interface Reached {
  readonly words: string;
  readonly wanted: number;
  readonly value: number;
  readonly isReached: boolean;
}

/** Runs of the small size prove that the checks work, and count for nothing here. */
export const listReached = (scores: readonly (Score & { quick?: boolean })[]): Reached[] =>
  promises.map(({ label, wanted, words }) => {
    const value = addUpFigure(
      scores.filter(({ quick }) => !quick),
      label,
    );
    return { words, wanted, value, isReached: value >= wanted };
  });
