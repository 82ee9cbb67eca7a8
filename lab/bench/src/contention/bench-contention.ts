// Measures contention and fairness: one busy player, one busy package, a hundred packages, and reads during
// writes.

import { interleave } from '../interleave.ts';
import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import {
  type LoadTarget,
  type Run,
  type RunResult,
  runLoad,
  withLoadTarget,
} from '../load-target/load-target.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import {
  type BenchOptions,
  createFigure,
  type Measurement,
  median,
  ratio,
  warmUpSeconds,
} from '../measurement.ts';

const connections = 64;
/**
 * Latencies are measured at this share of the maximum rate. At this share, queues form but do not grow
 * without bound.
 */
const busyPart = 0.6;

export async function benchContention(options: BenchOptions): Promise<Measurement[]> {
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  return withPostgres(options, settings, async (postgres) => {
    const { say } = options;
    const one = await openLedgerDataset(postgres, youngDataset, say);
    const perPackage = { packages: 100, players: 100, movements: 101, fresh: true };
    const many = await openLedgerDataset(postgres, perPackage, say);
    options.conditions.sizes = '1 package of 10,000 players; 100 packages of 100 players';
    const postgresPid = postgres.pid;
    return withLoadTarget({ dataset: one, postgresPid }, (alone) =>
      withLoadTarget({ dataset: many, postgresPid }, (crowd) => measure({ alone, crowd }, options)),
    );
  });
}

type LoadTargets = Readonly<Record<'alone' | 'crowd', LoadTarget>>;

async function measure(targets: LoadTargets, options: BenchOptions): Promise<Measurement[]> {
  options.say('Warming up …');
  const warm = { seconds: warmUpSeconds(options), connections };
  await runLoad(targets.alone, warm);
  await runLoad(targets.crowd, warm);
  const rates = await measureRates(targets, options);
  const waits = await measureWaits(targets, options, rates);
  return [...presentRates(rates), ...presentWaits(waits)];
}

type Results<Name extends string> = Record<Name, RunResult[]>;
type RateName = 'uniform' | 'halfReads' | 'packages';

function measureRates({ alone, crowd }: LoadTargets, options: BenchOptions): Promise<Results<RateName>> {
  const { seconds } = options;
  const run =
    (target: LoadTarget, plan: Run['plan'] = {}) =>
    () =>
      runLoad(target, { seconds, connections, plan });
  return interleave<RateName, RunResult>({
    bench: options,
    contenders: {
      uniform: run(alone),
      halfReads: run(alone, { readPart: 0.5 }),
      packages: run(crowd),
    },
    describe: ({ perSecondDone }) => `${Math.round(perSecondDone)}/s`,
  });
}

type WaitName = 'uniform' | 'hotPlayer' | 'packages' | 'hotPackage';

const rateOf = (results: readonly RunResult[]) => results.map((result) => result.perSecondDone);

function measureWaits(
  { alone, crowd }: LoadTargets,
  options: BenchOptions,
  rates: Results<RateName>,
): Promise<Results<WaitName>> {
  const { seconds } = options;
  const run = (target: LoadTarget, of: RateName, hot?: 'player' | 'package') => () =>
    runLoad(target, {
      seconds,
      connections: 256,
      perSecond: busyPart * median(rateOf(rates[of])),
      plan: hot ? { hot: { what: hot, part: 0.9 } } : {},
    });
  return interleave<WaitName, RunResult>({
    bench: options,
    contenders: {
      uniform: run(alone, 'uniform'),
      hotPlayer: run(alone, 'uniform', 'player'),
      packages: run(crowd, 'packages'),
      hotPackage: run(crowd, 'packages', 'package'),
    },
    describe: ({ latencies }) => `99 % within ${latencies.other.p99Ms.toFixed(1)} ms`,
  });
}

const figure = createFigure('contention');

function presentRates(rates: Results<RateName>): Measurement[] {
  const uniform = rateOf(rates.uniform);
  const cpu = (name: keyof RunResult['cpu']) =>
    median(rates.uniform.map((each) => (each.cpu[name] ?? Number.NaN) * 1000));
  return [
    figure('uniform', 'update_balance, our generator, 64 connections', median(uniform), {
      unit: '/s',
    }),
    figure('packages-of-one', '100 packages at once ÷ one package', ratio(rateOf(rates.packages), uniform), {
      bar: { atLeast: 0.6 },
      aim: 0.8,
    }),
    figure(
      'half-reads-of-writes',
      'Half reads, half writes ÷ writes alone',
      ratio(rateOf(rates.halfReads), uniform),
      { bar: { atLeast: 1 }, aim: 1.3 },
    ),
    figure('cpu.service', 'Processor time per request: service', cpu('service'), { unit: 'µs' }),
    figure('cpu.postgres', 'Processor time per request: PostgreSQL', cpu('postgres'), {
      unit: 'µs',
    }),
    figure('cpu.generator', 'Processor time per request: our generator', cpu('generator'), {
      unit: 'µs',
    }),
  ];
}

function presentWaits(waits: Results<WaitName>): Measurement[] {
  const p99 = (name: WaitName) => waits[name].map((each) => each.latencies.other.p99Ms);
  return [
    figure(
      'uniform.p50',
      'Median latency at 60 % of the maximum',
      median(waits.uniform.map((each) => each.latencies.other.p50Ms)),
      { unit: 'ms' },
    ),
    figure('uniform.p99', 'p99 latency at 60 % of the maximum', median(p99('uniform')), {
      unit: 'ms',
    }),
    figure(
      'others-p99',
      '90 % of requests to one player: p99 of other players ÷ uniform p99',
      ratio(p99('hotPlayer'), p99('uniform')),
      { bar: { atMost: 2 }, aim: 1.2 },
    ),
    figure(
      'other-packages-p99',
      '90 % of requests to one package: p99 of other packages ÷ p99 of an even spread',
      ratio(p99('hotPackage'), p99('packages')),
    ),
  ];
}
