// Measures the memory of a service that has a million players in memory: after its start, under long steady
// load, and under overload.

import { openLedgerDataset } from '../load-target/dataset.ts';
import {
  awaitPlayers,
  type LoadTarget,
  metricsToken,
  type RunResult,
  runLoad,
  withLoadTarget,
} from '../load-target/load-target.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { watchMemory } from '../machine/watch-memory.ts';
import { type BenchOptions, createFigure, type Measurement, median, warmUpSeconds } from '../measurement.ts';
import { drawLines } from '../report/line-plot.ts';
import { slope } from '../statistics.ts';

const connections = 64;
/**
 * The steady load is this share of the maximum rate. The share is low enough that a slower machine can
 * sustain the load too.
 */
const steadyPart = 0.5;
/** The overload has twice the maximum rate and this number of connections. */
const flood = { times: 2, connections: 3000, seconds: 10 };
const maxMegabytes = 250;

export async function benchMemory(options: BenchOptions): Promise<Measurement[]> {
  const { given, quick } = options;
  const minutes = Number(given.minutes ?? (quick ? 0.2 : 20));
  const players = Number(given.players ?? (quick ? 20_000 : 1_000_000));
  return withPostgres(options, { max_wal_size: '4GB', shared_buffers: '1GB' }, async (postgres) => {
    const wanted = { packages: 1, players, movements: players + 1 };
    const dataset = await openLedgerDataset(postgres, wanted, options.say);
    options.conditions.sizes =
      `${players.toLocaleString('en')} players; ${minutes} minutes at ${steadyPart * 100} % of the ` +
      `maximum, then ${flood.seconds} s at ${flood.times} times the maximum from ` +
      `${flood.connections} connections`;
    const env = { METRICS_TOKEN: metricsToken };
    return withLoadTarget({ dataset, postgresPid: postgres.pid, env }, (target) =>
      measure(target, options, minutes),
    );
  });
}

async function measure(target: LoadTarget, options: BenchOptions, minutes: number): Promise<Measurement[]> {
  const [, startPeak] = await watchPeak(target, () => awaitPlayers(target));
  const warm = await runLoad(target, { seconds: warmUpSeconds(options), connections, provedLater: true });
  const perSecond = steadyPart * warm.perSecondDone;
  options.say(`${Math.round(perSecond)}/s for ${minutes} minutes …`);
  const memory = watchMemory(target.service.pid, 1000);
  const runs: RunResult[] = [];
  const until = performance.now() + minutes * 60_000;
  // The load is split into runs of one minute, because the generator stores the latencies of a run in memory.
  while (performance.now() < until - 500) {
    const seconds = Math.min(60, (until - performance.now()) / 1000);
    runs.push(await runLoad(target, { seconds, connections, perSecond, provedLater: true }));
    options.say(`  ${Math.ceil((until - performance.now()) / 60_000)} minutes left`);
  }
  const { peakBytes, samples } = memory.stop();
  options.say('Overload …');
  const [, floodPeak] = await watchPeak(target, () =>
    runLoad(target, {
      seconds: options.quick ? 1 : flood.seconds,
      connections: flood.connections,
      perSecond: flood.times * warm.perSecondDone,
      mayRefuse: true,
      provedLater: true,
    }),
  );
  options.say('Verifying the ledger from its first row …');
  await runLoad(target, { seconds: 1, connections, perSecond });
  const points = samples.map(([seconds, bytes]) => [seconds / 60, bytes / 1e6] as const);
  const subtitle = `${options.quick ? 'Quick. ' : ''}${Math.round(perSecond)} update_balance/s`;
  const title = 'Memory of the wallet service under steady load';
  const lines = [{ name: 'resident', points }];
  options.plot('memory', drawLines({ title, subtitle, unitX: 'minutes', unitY: 'MB', lines }));
  return present({ points, peaks: { start: startPeak, steady: peakBytes, flood: floodPeak }, runs, minutes });
}

/** Runs the work, and returns its result and the peak of the service's memory during the work. */
async function watchPeak<T>(target: LoadTarget, work: () => Promise<T>): Promise<[T, number]> {
  const memory = watchMemory(target.service.pid);
  try {
    const result = await work();
    return [result, memory.stop().peakBytes];
  } catch (error) {
    memory.stop();
    throw error;
  }
}

const figure = createFigure('memory');

function present(given: {
  points: readonly (readonly [number, number])[];
  peaks: Readonly<Record<'start' | 'steady' | 'flood', number>>;
  runs: readonly RunResult[];
  minutes: number;
}): Measurement[] {
  const lastHalf = given.points.filter(([minute]) => minute >= given.minutes / 2);
  const { start, steady, flood: overload } = given.peaks;
  const peak = (id: string, when: string, bytes: number) =>
    figure(id, `Peak memory of the service ${when}`, bytes / 1e6, {
      unit: 'MB',
      bar: { atMost: maxMegabytes },
    });
  return [
    peak('start', 'while it loads the players', start),
    peak('most', 'under steady load', steady),
    peak('flood', 'at 2× the maximum, 3,000 connections', overload),
    figure('slope', 'Growth of the service’s memory in the second half of the run', slope(lastHalf), {
      unit: 'MB/min',
      bar: { atMost: 1 },
    }),
    figure(
      'rate',
      'update_balance during the measurement of memory',
      median(given.runs.map((each) => each.perSecondDone)),
      { unit: '/s' },
    ),
  ];
}
