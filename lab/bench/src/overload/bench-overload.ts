// Measures the service under constant rates above its maximum.

import { interleave } from '../interleave.ts';
import { countApplied, proveDataset } from '../load-target/books.ts';
import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import {
  countUnknown,
  type LoadTarget,
  type RunResult,
  runLoad,
  withLoadTarget,
} from '../load-target/load-target.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { type MemorySamples, watchMemory } from '../machine/watch-memory.ts';
import {
  type BenchOptions,
  createFigure,
  type Measurement,
  median,
  ratio,
  warmUpSeconds,
} from '../measurement.ts';
import type { Stage } from '../open-loop/schedule.ts';
import { tenthMs } from '../open-loop/tally.ts';
import { drawLines } from '../report/line-plot.ts';
import { findRecovery } from './recovery.ts';

/** The number of connections at which the service reaches its maximum rate. */
const connections = 256;
/**
 * With this number of connections, the service cannot answer all requests in time and must refuse some. The
 * number is also large enough that the generator always has a free connection.
 */
const manyConnections = 3000;
/** The connections of the load of twice the maximum rate on one process. */
const floodConnections = 6000;
/** After the stage with twice the maximum rate, requests arrive at the maximum rate for this long. */
const recoverySeconds = 5;

export async function benchOverload(options: BenchOptions): Promise<Measurement[]> {
  return withPostgres(options, {}, async (postgres) => {
    const { say } = options;
    const dataset = await openLedgerDataset(postgres, youngDataset, say);
    options.conditions.sizes = `${manyConnections} and ${floodConnections} connections`;
    const given = { dataset, postgresPid: postgres.pid };
    const one = await withLoadTarget(given, (target) => measure(target, options));
    say('Two processes …');
    const two = await withLoadTarget({ ...given, env: { PROCESSES: '2' } }, async (target) => {
      const measured = await measureProcesses(target, options);
      say('Verifying the ledger …');
      await proveDataset(target.db, dataset);
      return measured;
    });
    return [...one, ...two];
  });
}

/** The maximum rate of a target, and loads above this rate. */
function createLoads(target: LoadTarget, options: BenchOptions) {
  const { seconds } = options;
  const loads = {
    most: Number.NaN,
    measureMost: async (forSeconds = seconds) => {
      const result = await runLoad(target, { seconds: forSeconds, connections, provedLater: true });
      loads.most = result.perSecondDone;
      return result;
    },
    offer: (times: number, more: { connections: number; seconds?: number; then?: Stage }) =>
      runLoad(target, {
        seconds,
        mayRefuse: true,
        provedLater: true,
        perSecond: times * loads.most,
        ...more,
      }),
  };
  return loads;
}

const describe = ({ perSecondDone, refused, latencies, refusedSinceSent }: RunResult) =>
  `${Math.round(perSecondDone)}/s done, ${refused.length} refused within ` +
  `${Math.round(latencies.refused.p99Ms)} ms (${Math.round(refusedSinceSent.p99Ms)} ms since sent)`;

async function measure(target: LoadTarget, options: BenchOptions): Promise<Measurement[]> {
  const { seconds } = options;
  const loads = createLoads(target, options);
  options.say('Warming up …');
  await loads.measureMost(warmUpSeconds(options));
  const figures = await interleave<'most' | 'over', RunResult>({
    bench: options,
    contenders: {
      most: () => loads.measureMost(),
      over: () => loads.offer(1.2, { connections: manyConnections }),
    },
    describe,
  });
  const most = median(figures.most.map((each) => each.perSecondDone));
  loads.most = most;
  options.say(`Twice the maximum for ${seconds * 2} s …`);
  const memory = watchMemory(target.service.pid);
  const then = { perSecond: most, seconds: recoverySeconds };
  const flood = await loads.offer(2, { connections: floodConnections, seconds: seconds * 2, then });
  options.say(`  ${describe(flood)}`);
  const { samples } = memory.stop();
  const applied = await countApplied(target.db, target.dataset, {
    tag: flood.tag,
    numbers: flood.refused,
  });
  draw(options, { most, flood });
  return [
    ...presentOver(figures),
    ...presentFlood({ most, flood, floodSeconds: seconds * 2, applied, samples }),
  ];
}

/** Measures two processes that write for one package, under twice their maximum rate. */
async function measureProcesses(target: LoadTarget, options: BenchOptions): Promise<Measurement[]> {
  const loads = createLoads(target, options);
  await loads.measureMost(warmUpSeconds(options));
  const { most, flood } = await interleave<'most' | 'flood', RunResult>({
    bench: options,
    contenders: {
      most: () => loads.measureMost(),
      flood: () => loads.offer(2, { connections: manyConnections }),
    },
    describe: (result) => `${describe(result)}, ${countUnknown(result)} unknown`,
  });
  const rate = (results: readonly RunResult[]) => results.map((each) => each.perSecondDone);
  const goodputs = rate(flood).map((each, round) => each / (most[round]?.perSecondDone ?? Number.NaN));
  const unknown = flood.reduce((sum, each) => sum + countUnknown(each), 0);
  return [
    figure('processes.most', 'Two processes, one package: the maximum', median(rate(most)), { unit: '/s' }),
    figure('processes.goodput', 'Two processes: goodput at 2× the maximum ÷ maximum', median(goodputs), {
      bar: { atLeast: 0.9 },
    }),
    figure('processes.goodput.least', 'Two processes: lowest goodput of a round', Math.min(...goodputs)),
    figure('processes.unknown', 'Two processes: unknown outcomes at 2× the maximum', unknown, {
      bar: { atMost: 0 },
    }),
  ];
}

const figure = createFigure('overload');

function presentOver({ most, over }: Record<'most' | 'over', RunResult[]>): Measurement[] {
  const rate = (results: readonly RunResult[]) => results.map((each) => each.perSecondDone);
  const counted = (pick: (result: RunResult) => number) => median(over.map(pick));
  // A benchmark round without refusals has no latency of refusals. The median leaves such rounds out.
  const refusing = over.filter((each) => each.refused.length > 0);
  const refusals = (pick: (result: RunResult) => number) => median(refusing.map(pick));
  return [
    figure('most', 'The maximum, 256 connections', median(rate(most)), { unit: '/s' }),
    figure('goodput', 'Goodput at 1.2× the maximum ÷ maximum', ratio(rate(over), rate(most)), {
      bar: { atLeast: 0.5 },
      aim: 0.6,
    }),
    figure(
      'refusals.p99',
      'p99 latency of refusals at 1.2× the maximum, from the time due',
      refusals((each) => each.latencies.refused.p99Ms),
      {
        unit: 'ms',
        bar: { atMost: 100 },
        // If 1.2 times the measured maximum succeeds without refusals, the measured maximum was too low, and
        // the result is void.
        ...(refusing.length * 2 < over.length && {
          voidBecause: 'void: too few rounds with refusals',
        }),
      },
    ),
    figure(
      'refusals.p99-since-sent',
      'p99 latency of refusals at 1.2× the maximum, from the time sent',
      refusals((each) => each.refusedSinceSent.p99Ms),
      { unit: 'ms' },
    ),
    figure(
      'refusals',
      'Requests refused at 1.2× the maximum',
      counted((each) => each.refused.length),
    ),
    figure(
      'unsent',
      'Requests due at 1.2× the maximum and not sent',
      counted((each) => each.unsent),
    ),
    figure(
      'accepted.p99',
      'p99 latency of accepted requests at 1.2× the maximum',
      counted((each) => each.latencies.other.p99Ms),
      {
        unit: 'ms',
      },
    ),
  ];
}

function presentFlood(given: {
  most: number;
  flood: RunResult;
  floodSeconds: number;
  applied: number;
  samples: MemorySamples;
}): Measurement[] {
  const { most, flood, applied, floodSeconds, samples } = given;
  const after = flood.timeline.slice((floodSeconds * 1000) / tenthMs);
  const recoveryMs = findRecovery(after, { most, part: 0.9 });
  return [
    figure('flood.goodput', 'Goodput at 2× the maximum ÷ maximum', flood.perSecondDone / most, {
      bar: { atLeast: 0.8 },
    }),
    figure('flood.refusals.p99', 'p99 latency of refusals at 2× the maximum', flood.latencies.refused.p99Ms, {
      unit: 'ms',
    }),
    figure('flood.refused', 'Requests refused at 2× the maximum', flood.refused.length),
    figure('flood.unknown', 'Unknown outcomes at 2× the maximum', countUnknown(flood)),
    figure('flood.applied', 'Orders refused at 2× the maximum but applied', applied, {
      bar: { atMost: 0 },
    }),
    figure('flood.accepted.max', 'Slowest accepted answer at 2× the maximum', flood.latencies.other.maxMs, {
      unit: 'ms',
    }),
    figure('flood.memory', 'Peak memory of the service at 2× the maximum', peakOf(samples) / 1e6, {
      unit: 'MB',
    }),
    figure(
      'flood.memory.growth',
      'Memory at 2× the maximum, peak of the second half ÷ first half',
      peakOf(samples.filter(([at]) => at >= floodSeconds / 2 && at < floodSeconds)) /
        peakOf(samples.filter(([at]) => at < floodSeconds / 2)),
      { bar: { atMost: 1.1 } },
    ),
    figure(
      'flood.recovery',
      'Time to recover to 90 % of the maximum after 2× the maximum',
      recoveryMs / 1000,
      {
        unit: 's',
        bar: { atMost: 2 },
      },
    ),
  ];
}

const peakOf = (samples: MemorySamples) => Math.max(...samples.map(([, bytes]) => bytes));

function draw(options: BenchOptions, { most, flood }: { most: number; flood: RunResult }): void {
  const perTenth = 1000 / tenthMs;
  const points = flood.timeline.map((count, i) => [i / perTenth, count * perTenth] as const);
  const end = points.at(-1)?.[0] ?? 0;
  const lines = [
    { name: 'done', points },
    { name: 'the maximum', points: [[0, most] as const, [end, most] as const] },
  ];
  const subtitle = `${options.quick ? 'Quick. ' : ''}Offered: twice the maximum, then the maximum`;
  options.plot(
    'overload',
    drawLines({
      title: 'update_balance at twice its maximum rate',
      subtitle,
      lines,
      unitX: 'seconds',
      unitY: 'requests/s',
      marks: [{ at: options.seconds * 2, text: 'overload ends' }],
    }),
  );
}
