// Measures the effect of a slow disk: the rate while each flush takes 2 ms longer, compared with the rate
// without this delay. In both cases, PostgreSQL runs under strace.
import { join } from 'node:path';
import { interleave } from '../interleave.ts';
import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import { type LoadTarget, type RunResult, runLoad, withLoadTarget } from '../load-target/load-target.ts';
import { benchDataDir } from '../machine/start-postgres.ts';
import { type BenchOptions, type Measurement, median, ratio, warmUpSeconds } from '../measurement.ts';
import { requireStrace, startTracedPostgres } from './slow-postgres.ts';

const connections = 256;
const delayMs = 2;

type Name = 'plain' | 'slow';

export async function benchDisk(options: BenchOptions): Promise<Measurement[]> {
  requireStrace();
  options.conditions.sizes = `Flushes delayed by ${delayMs} ms; ${connections} connections`;
  return withDisk('plain', 0, options, (plain) =>
    withDisk('slow', delayMs, options, (slow) => measure({ plain, slow }, options)),
  );
}

async function withDisk<T>(
  name: Name,
  delay: number,
  { say }: BenchOptions,
  work: (target: LoadTarget) => Promise<T>,
): Promise<T> {
  say(`Starting PostgreSQL under strace, flushes ${delay} ms longer …`);
  const dataDir = join(`${benchDataDir()}-disk`, name);
  const postgres = await startTracedPostgres({ dataDir, delayMs: delay });
  try {
    const dataset = await openLedgerDataset(postgres, youngDataset, say);
    return await withLoadTarget({ dataset, postgresPid: postgres.pid }, work);
  } finally {
    await postgres.stop();
  }
}

async function measure(targets: Record<Name, LoadTarget>, options: BenchOptions): Promise<Measurement[]> {
  const run = (name: Name, seconds: number) => runLoad(targets[name], { seconds, connections });
  for (const name of ['plain', 'slow'] as const) await run(name, warmUpSeconds(options));
  const figures = await interleave<Name, RunResult>({
    bench: options,
    contenders: {
      plain: () => run('plain', options.seconds),
      slow: () => run('slow', options.seconds),
    },
    describe: ({ perSecondDone }) => `${Math.round(perSecondDone)}/s`,
  });
  const rates = (name: Name) => figures[name].map((each) => each.perSecondDone);
  const p99 = (name: Name) => median(figures[name].map((each) => each.latencies.other.p99Ms));
  const row = (id: string, title: string, value: number, unit: string): Measurement => ({
    id: `disk.${id}`,
    title,
    value,
    unit,
  });
  return [
    row('usual', 'update_balance, without delay, under strace', median(rates('plain')), '/s'),
    row('slow', 'update_balance, flushes 2 ms longer', median(rates('slow')), '/s'),
    {
      ...row(
        'slow-of-usual',
        'Rate with flushes 2 ms longer ÷ rate without delay',
        ratio(rates('slow'), rates('plain')),
        '',
      ),
      bar: { atLeast: 0.7 },
      aim: 0.85,
    },
    row('usual.p99', 'p99 latency without delay', p99('plain'), 'ms'),
    row('slow.p99', 'p99 latency with flushes 2 ms longer', p99('slow'), 'ms'),
  ];
}
