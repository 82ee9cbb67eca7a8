// The number of kills and movements that a full run must reach.
import type { Score } from './score.ts';

/** The sum of one figure over all faults except planted bugs. */
export const addUpFigure = (scores: readonly Score[], label: string): number =>
  scores
    .filter((score) => score.group !== 'planted')
    .flatMap((score) => score.figures)
    .filter((figure) => figure.label === label)
    .reduce((sum, figure) => sum + figure.value, 0);

const requirements = [
  { label: 'kills', wanted: 200, words: 'kills' },
  { label: 'acknowledged', wanted: 1_000_000, words: 'acknowledged movements' },
] as const;

export interface Reached {
  readonly words: string;
  readonly wanted: number;
  readonly value: number;
  readonly isReached: boolean;
}

/**
 * Compares the scores with the requirements. Quick runs do not count, because they only test that the faults
 * work.
 */
export const listReached = (scores: readonly (Score & { quick?: boolean })[]): Reached[] =>
  requirements.map(({ label, wanted, words }) => {
    const value = addUpFigure(
      scores.filter(({ quick }) => !quick),
      label,
    );
    return { words, wanted, value, isReached: value >= wanted };
  });
