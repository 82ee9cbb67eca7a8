// One measured figure with its limit.

export interface Measurement {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  /** The limit; undefined if the figure has none. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  readonly aim?: number;
  /** The reason why the figure is void, such as a ledger with flaws after the run. */
  readonly voidBecause?: string;
}

/** How busy the machine was during a suite, and which database and dataset the suite used. */
export interface Conditions {
  /** Benchmark rounds that were repeated because the machine was busy. */
  repeatedRounds: number;
  /** Benchmark rounds that were counted although the machine was busy. */
  disturbedRounds: number;
  postgresVersion?: string;
  /** The sizes of the dataset, such as the number of players. */
  sizes?: string;
}

/** The number and duration of the rounds, and the functions by which a suite writes its output. */
export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** If true, the suite uses small sizes. A quick run only tests that the suite works. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  readonly conditions: Conditions;
  /** Saves a plot next to the saved figures. */
  readonly plot: (name: string, svg: string) => void;
  /** Command-line options of single suites, such as the number of players. */
  readonly given: Readonly<Record<string, string | undefined>>;
}

/** Returns a function that creates the figures of a suite. */
export const createFigure =
  (suite: string) =>
  (id: string, title: string, value: number, more: Partial<Measurement> = {}): Measurement => ({
    id: `${suite}.${id}`,
    title,
    value,
    unit: '',
    ...more,
  });

export function holds({ value, bar, voidBecause }: Measurement): boolean | undefined {
  if (voidBecause !== undefined) return false;
  if (!bar) return undefined;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Computes one ratio per round, and returns the median. Both values of a ratio are from the same round,
 * because conditions change between rounds.
 */
export const ratio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)));

export const warmUpSeconds = (options: BenchOptions): number => (options.quick ? 1 : 3);
