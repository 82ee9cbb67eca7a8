// Presents the figures and the plot of the old and the young dataset.
import { type BenchOptions, createFigure, type Measurement, median, ratio } from '../measurement.ts';
import { drawLines } from '../report/line-plot.ts';
import type { CycleResult, Cycles, Waits } from './bench-growth.ts';

const figure = createFigure('growth');

export function presentGrowth(given: {
  cycles: Cycles;
  waits: Waits;
  disk: number;
  readAhead: number;
  memory: number | undefined;
  loaded: { perSecond: number; bytesPerMovement: number };
}): Measurement[] {
  const { cycles, waits, disk, readAhead, memory, loaded } = given;
  const rates = (name: keyof Cycles) => cycles[name].map((each) => each.perSecondDone);
  const p99 = (name: keyof Waits) => waits[name].map((each) => each.latencies.other.p99Ms);
  const gap = (name: keyof Waits) => Math.max(...waits[name].map((each) => each.longestGapMs));
  const wal = (name: keyof Cycles) => median(cycles[name].map((each) => each.walPerMovement));
  return [
    figure('load', 'Rate of loading the dataset', loaded.perSecond, { unit: 'movements/s' }),
    figure('read-ahead', 'Time to load the players of the old dataset into memory', readAhead, { unit: 's' }),
    ...(memory === undefined
      ? []
      : [figure('memory', 'Memory of the service with the old dataset', memory, { unit: 'MB' })]),
    figure('old', 'update_balance, old dataset, all players', median(rates('old')), {
      unit: '/s',
    }),
    figure('young', 'update_balance, young dataset', median(rates('young')), { unit: '/s' }),
    figure(
      'old-of-young',
      'Old ÷ young dataset, all players busy, a whole cycle',
      ratio(rates('old'), rates('young')),
      {
        bar: { atLeast: 0.85 },
        aim: 0.95,
      },
    ),
    figure('p99', 'p99 of the old ÷ young dataset at 60 % of the maximum', ratio(p99('old'), p99('young')), {
      bar: { atMost: 1.5 },
      aim: 1.2,
    }),
    figure('old.p99', 'p99 of the old dataset', median(p99('old')), { unit: 'ms' }),
    figure('gap', 'Longest gap between two successes, old dataset', gap('old'), {
      unit: 'ms',
      bar: { atMost: 250 },
      aim: 100,
    }),
    figure('young.gap', 'Longest gap between two successes, young dataset', gap('young'), { unit: 'ms' }),
    figure('wal', 'WAL per movement after a checkpoint, old dataset', wal('old'), {
      unit: 'B',
      bar: { atMost: 2500 },
      aim: 1000,
    }),
    figure('young.wal', 'WAL per movement after a checkpoint, young dataset', wal('young'), { unit: 'B' }),
    figure('disk', 'Disk per movement with indexes, old dataset', disk, {
      unit: 'B',
      bar: { atMost: 450 },
      aim: 320,
    }),
    figure('loaded-disk', 'Disk per movement with indexes, directly after loading', loaded.bytesPerMovement, {
      unit: 'B',
    }),
    ...presentCpu(cycles),
  ];
}

function presentCpu(cycles: Cycles): Measurement[] {
  const cpu = (name: 'old' | 'young', of: keyof CycleResult['cpu']) =>
    median(cycles[name].map((each) => (each.cpu[of] ?? Number.NaN) * 1000));
  const row = (name: 'old' | 'young', of: 'service' | 'postgres', title: string) =>
    figure(`${name}.cpu.${of}`, `Processor time per movement: ${title}`, cpu(name, of), {
      unit: 'µs',
    });
  return [
    row('old', 'service', 'service, old dataset'),
    row('young', 'service', 'service, young dataset'),
    row('old', 'postgres', 'PostgreSQL, old dataset'),
    row('young', 'postgres', 'PostgreSQL, young dataset'),
  ];
}

/** Draws the successes per second of both datasets in the last benchmark round. */
export function drawCycle(options: BenchOptions, cycles: Cycles): void {
  const perSecond = ({ timeline }: CycleResult) =>
    Array.from(
      { length: Math.floor(timeline.length / 10) },
      (_, i) => [i, timeline.slice(i * 10, i * 10 + 10).reduce((sum, each) => sum + each, 0)] as const,
    );
  const line = (name: string, results: readonly CycleResult[]) => {
    const last = results.at(-1);
    return { name, points: last ? perSecond(last) : [] };
  };
  const lines = [line('old dataset', cycles.old), line('young dataset', cycles.young)];
  options.plot(
    'growth',
    drawLines({
      title: 'update_balance after a checkpoint',
      subtitle: `${options.quick ? 'Quick. ' : ''}${options.conditions.sizes ?? ''}`,
      unitX: 'seconds',
      unitY: 'movements/s',
      lines,
    }),
  );
}
