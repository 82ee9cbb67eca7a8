// Measures whether the memory of a service stays constant under long steady load.

import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import { type LoadTarget, type RunResult, runLoad, withLoadTarget } from '../load-target/load-target.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { watchMemory } from '../machine/watch-memory.ts';
import { type BenchOptions, type Measurement, median, warmUpSeconds } from '../measurement.ts';
import { drawLines } from '../report/line-plot.ts';
import { slope } from '../statistics.ts';

const connections = 64;
/**
 * The load is this share of the maximum rate. The share is low enough that a slower machine can sustain the
 * load too.
 */
const steadyPart = 0.5;

export async function benchMemory(options: BenchOptions): Promise<Measurement[]> {
  const minutes = Number(options.given.minutes ?? (options.quick ? 0.2 : 20));
  return withPostgres(options, { max_wal_size: '4GB' }, async (postgres) => {
    const dataset = await openLedgerDataset(postgres, youngDataset, options.say);
    options.conditions.sizes = `${minutes} minutes at ${steadyPart * 100} % of the maximum`;
    return withLoadTarget({ dataset, postgresPid: postgres.pid }, (target) =>
      measure(target, options, minutes),
    );
  });
}

async function measure(target: LoadTarget, options: BenchOptions, minutes: number): Promise<Measurement[]> {
  const warm = await runLoad(target, { seconds: warmUpSeconds(options), connections });
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
  await runLoad(target, { seconds: 1, connections, perSecond });
  const points = samples.map(([seconds, bytes]) => [seconds / 60, bytes / 1e6] as const);
  const subtitle = `${options.quick ? 'Quick. ' : ''}${Math.round(perSecond)} update_balance/s`;
  const title = 'Memory of the wallet service under steady load';
  const lines = [{ name: 'resident', points }];
  options.plot('memory', drawLines({ title, subtitle, unitX: 'minutes', unitY: 'MB', lines }));
  return present({ points, peakBytes, runs, minutes });
}

function present(given: {
  points: readonly (readonly [number, number])[];
  peakBytes: number;
  runs: readonly RunResult[];
  minutes: number;
}): Measurement[] {
  const lastHalf = given.points.filter(([minute]) => minute >= given.minutes / 2);
  return [
    {
      id: 'memory.slope',
      title: 'Growth of the service’s memory in the second half of the run',
      value: slope(lastHalf),
      unit: 'MB/min',
      bar: { atMost: 1 },
    },
    {
      id: 'memory.most',
      title: 'Peak memory of the service',
      value: given.peakBytes / 1e6,
      unit: 'MB',
      bar: { atMost: 300 },
    },
    {
      id: 'memory.rate',
      title: 'update_balance during the measurement of memory',
      value: median(given.runs.map((each) => each.perSecondDone)),
      unit: '/s',
    },
  ];
}
