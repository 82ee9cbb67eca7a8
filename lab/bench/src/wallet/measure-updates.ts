// Measures update_balance over HTTP in benchmark rounds, together with a baseline and rival ledgers.
import { interleave } from '../interleave.ts';
import { type BenchOptions, warmUpSeconds } from '../measurement.ts';
import type { Books } from './books.ts';
import { type Dataset, playerCount } from './dataset.ts';
import { type Run, type RunResult, runUpdates } from './runs.ts';
import type { Servers } from './servers.ts';

export interface LoadTarget {
  readonly dataset: Dataset;
  readonly books: Books;
  readonly servers: Servers;
  readonly postgresPid: number;
  readonly options: BenchOptions;
}

/**
 * The contenders in the order in which they run. Most contenders are compared with `uniform`, so `uniform`
 * runs in the middle, close in time to all others.
 */
const contenders = {
  empty: { server: 'empty' },
  uniform: { server: 'ours', ledger: 'ours' },
  replay: { server: 'ours', ledger: 'ours' },
  naive: { server: 'naive', ledger: 'rivals' },
  perRequest: { server: 'perRequest', ledger: 'rivals' },
  plainBatch: { server: 'plainBatch', ledger: 'rivals' },
} as const satisfies Record<string, { server: keyof Servers } & Partial<Omit<Run, 'server'>>>;

type Name = keyof typeof contenders;
export type UpdateFigures = Readonly<Record<Name, readonly RunResult[]>>;

/**
 * The number of ids that are sent again. The number is small enough that the service still has all these ids
 * in memory.
 */
const replayed = 20_000;

export async function measureUpdates(target: LoadTarget): Promise<UpdateFigures> {
  const { servers, books, options } = target;
  const names = Object.keys(contenders) as Name[];
  let stored = { tag: '', count: 0 };
  const run = async (name: Name, seconds: number) => {
    const { server, ...rest } = contenders[name];
    const watched = {
      db: books.db,
      packageId: target.dataset.packageId,
      postgresPid: target.postgresPid,
    };
    const again = { tag: stored.tag, count: Math.min(stored.count, replayed) };
    const result = await runUpdates(target, {
      ...rest,
      server: servers[server],
      seconds,
      ...(name === 'replay' && { replay: [again] }),
      ...(name === 'uniform' && { watched }),
    });
    if (name === 'uniform') stored = result.stored;
    return result;
  };
  options.say(`Warming up, then ${options.rounds} rounds of ${options.seconds} s each …`);
  const warm = warmUpSeconds(options);
  // After a checkpoint, PostgreSQL writes each page to the WAL in full when the page first changes. Because
  // of the checkpoint here, most of these full pages are written during the warm-up. The warm-up is not
  // measured.
  await books.db.query('checkpoint');
  for (const name of names) await run(name, warm);
  for (let met = 0; met < playerCount; ) met += (await run('uniform', warm)).answers;
  return interleave<Name, RunResult>({
    bench: options,
    contenders: Object.fromEntries(names.map((name) => [name, () => run(name, options.seconds)])) as Record<
      Name,
      () => Promise<RunResult>
    >,
    describe: ({ perSecond }) => `${Math.round(perSecond)}/s`,
  });
}
