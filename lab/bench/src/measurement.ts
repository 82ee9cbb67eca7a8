// One measured figure, held against its bar.

export interface Measurement {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  /** What must hold; undefined where the figure is only for reading. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  readonly aim?: number;
  /** Why there is no figure, such as a ledger that was not clean behind the run. */
  readonly voidBecause?: string;
}

/** How quiet the machine was while a suite measured. */
export interface Conditions {
  /** Rounds that were thrown away because others kept the machine busy. */
  repeatedRounds: number;
  /** Rounds that were counted though others kept it busy: it was never quiet. */
  disturbedRounds: number;
  postgresVersion?: string;
  /** What was measured, such as how many players. */
  sizes?: string;
}

/** How long and how often a suite measures, and where it tells of its progress. */
export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Everything small: to see that all of it works, not what it reaches. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  readonly conditions: Conditions;
  /** Keeps a plot beside the figures. */
  readonly plot: (name: string, svg: string) => void;
  /** Options of single suites, such as how many players; undefined where they were not given. */
  readonly given: Readonly<Record<string, string | undefined>>;
}

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

/** What differs between machines cancels out in pairs measured side by side. */
export const ratio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)));

export const warmUpSeconds = (options: BenchOptions): number => (options.quick ? 1 : 3);
