// Measures the compared programs alternately, so that a change of the machine's load affects all of them.
import { isDisturbed, type Watched, watchForeignLoad } from './machine/foreign-load.ts';
import type { BenchOptions } from './measurement.ts';

interface Round<Name extends string, Result> {
  readonly results: Readonly<Record<Name, Result>>;
  readonly disturbed: boolean;
}

/**
 * Runs the contenders in rounds, and repeats a round that other processes disturbed. At most twice the wanted
 * number of rounds are run, and a quick run repeats no round. If too few rounds are undisturbed, disturbed
 * rounds count too and are reported.
 */
export async function interleave<Name extends string, Result>(options: {
  bench: BenchOptions;
  contenders: Readonly<Record<Name, () => Promise<Result>>>;
  describe: (result: Result) => string;
  watch?: (work: () => Promise<Result>) => Promise<Watched<Result>>;
}): Promise<Record<Name, Result[]>> {
  const { bench, watch = watchForeignLoad } = options;
  const names = Object.keys(options.contenders) as Name[];
  const rounds: Round<Name, Result>[] = [];
  const most = bench.quick ? bench.rounds : bench.rounds * 2;
  while (needsAnother(rounds, { wanted: bench.rounds, most })) {
    const number = rounds.length + 1;
    // Every other round has the reverse order, because the first contender of a round runs on a cooler
    // processor.
    const order = number % 2 === 1 ? names : [...names].reverse();
    const results: Partial<Record<Name, Result>> = {};
    let disturbed = false;
    for (const name of order) {
      const { result, foreignPart } = await watch(options.contenders[name]);
      results[name] = result;
      const isBad = isDisturbed(foreignPart);
      disturbed ||= isBad;
      const note = isBad ? `, disturbed: other processes used ${percent(foreignPart)} %` : '';
      bench.say(`  round ${number}: ${name} ${options.describe(result)}${note}`);
    }
    rounds.push({ results: results as Record<Name, Result>, disturbed });
  }
  const { kept, filledUp } = chooseRounds(rounds, bench.rounds);
  bench.conditions.repeatedRounds += rounds.length - kept.length;
  bench.conditions.disturbedRounds += filledUp;
  return Object.fromEntries(names.map((name) => [name, kept.map((round) => round.results[name])])) as Record<
    Name,
    Result[]
  >;
}

const percent = (part: number | undefined) => Math.round((part ?? 0) * 100);

type MarkedRounds = readonly { readonly disturbed: boolean }[];

function needsAnother(rounds: MarkedRounds, { wanted, most }: { wanted: number; most: number }): boolean {
  const good = rounds.filter((round) => !round.disturbed).length;
  return good < wanted && rounds.length < most;
}

/**
 * Chooses the rounds that count. If too few rounds are undisturbed, the latest disturbed rounds are added.
 */
function chooseRounds<T extends { readonly disturbed: boolean }>(
  rounds: readonly T[],
  wanted: number,
): { kept: T[]; filledUp: number } {
  const good = rounds.filter((round) => !round.disturbed).slice(0, wanted);
  const missing = Math.max(0, wanted - good.length);
  const bad = rounds.filter((round) => round.disturbed);
  const fill = missing === 0 ? [] : bad.slice(-missing);
  return { kept: [...good, ...fill], filledUp: fill.length };
}
