// One measured figure, held against its bar.

export interface Measurement {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  /** What must hold; undefined where the figure is only for reading. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  readonly aim?: number;
}

/** How long and how often a suite measures, and where it tells of its progress. */
export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

export function holds({ value, bar }: Measurement): boolean | undefined {
  if (!bar) return undefined;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** What differs between machines cancels out in pairs measured side by side. */
export const ratio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)));
