// Compares an old dataset (large, with a long history) with a young dataset (small and new), each over a
// checkpoint cycle.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@counterfoil/kit/postgres/db';
import { interleave } from '../interleave.ts';
import { countRows, proveDataset } from '../load-target/books.ts';
import { type LedgerDataset, measureBytes, openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import {
  awaitPlayers,
  type LoadTarget,
  metricsToken,
  type RunResult,
  runLoad,
  withLoadTarget,
} from '../load-target/load-target.ts';
import { readResidentBytes } from '../machine/processes.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { type BenchOptions, type Measurement, median, warmUpSeconds } from '../measurement.ts';
import { drawCycle, presentGrowth } from './present-growth.ts';

const connections = 64;
/** Both datasets are measured at this share of the old dataset's maximum rate. */
const busyPart = 0.6;
/**
 * The p99 is measured in at least three benchmark rounds, because one pause of a shared disk can determine
 * the p99 of a single round.
 */
const minWaitRounds = 3;

interface Sizes {
  readonly players: number;
  readonly movements: number;
  /**
   * PostgreSQL's `checkpoint_timeout`. A run lasts twice this time, so that the run includes the writes of a
   * checkpoint.
   */
  readonly cycleSeconds: number;
  /** The duration of the run in which latencies and gaps between successes are measured. */
  readonly watchSeconds: number;
}

function readSizes({ given, quick }: BenchOptions): Sizes {
  const number = (name: string, full: number, small: number) => Number(given[name] ?? (quick ? small : full));
  return {
    players: number('players', 1_000_000, 20_000),
    movements: number('movements', 10_000_000, 60_000),
    // 300 s is PostgreSQL's default `checkpoint_timeout`.
    cycleSeconds: number('cycle', 300, 30),
    watchSeconds: number('watch', 60, 3),
  };
}

export async function benchGrowth(options: BenchOptions): Promise<Measurement[]> {
  const sizes = readSizes(options);
  const { players, movements, cycleSeconds } = sizes;
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    // The same size as in compose.yaml. The old dataset is larger than these buffers.
    shared_buffers: '1GB',
    checkpoint_timeout: `${cycleSeconds}s`,
    // This size is never reached, so checkpoints start only when `checkpoint_timeout` has passed.
    max_wal_size: '16GB',
  };
  return withPostgres(options, settings, async (postgres) => {
    const postgresPid = postgres.pid;
    const old = await openLedgerDataset(postgres, { packages: 1, players, movements }, options.say);
    const young = await openLedgerDataset(postgres, youngDataset, options.say);
    const env = { METRICS_TOKEN: metricsToken };
    return withLoadTarget({ dataset: old, postgresPid, env }, (oldTarget) =>
      withLoadTarget({ dataset: young, postgresPid, env }, (youngTarget) =>
        measure({ old: oldTarget, young: youngTarget }, sizes, options),
      ),
    );
  });
}

export interface CycleResult extends RunResult {
  /** Bytes of WAL per movement in the first minute of the run, which starts directly after a checkpoint. */
  readonly walPerMovement: number;
}

export type Cycles = Record<'old' | 'young', CycleResult[]>;
export type Waits = Record<'old' | 'young', RunResult[]>;

async function measure(
  targets: Record<'old' | 'young', LoadTarget>,
  sizes: Sizes,
  options: BenchOptions,
): Promise<Measurement[]> {
  const { players, cycleSeconds } = sizes;
  const seconds = options.quick ? 3 : cycleSeconds * 2;
  // The rows are counted, because a reused dataset also contains the movements of earlier runs.
  const movements = await countRows(targets.old.db, targets.old.dataset);
  options.conditions.sizes =
    `${movements.toLocaleString('en')} movements of ${players.toLocaleString('en')} players, compared ` +
    `with 10,001 movements of 10,000 players; a checkpoint every ${cycleSeconds} s`;
  // A benchmark round takes minutes, so the default number of rounds is two.
  const bench = { ...options, rounds: Number(options.given.rounds ?? (options.quick ? 1 : 2)) };
  const warm = { seconds: warmUpSeconds(options), connections, provedLater: true };
  const readAhead = await awaitPlayers(targets.old);
  await awaitPlayers(targets.young);
  for (const target of Object.values(targets)) await runLoad(target, warm);
  options.say(`${bench.rounds} rounds; each dataset for ${seconds} s after a checkpoint …`);
  const cycles = await interleave<keyof Cycles, CycleResult>({
    bench,
    contenders: {
      old: () => runCycle(targets.old, seconds),
      young: () => runCycle(targets.young, seconds),
    },
    describe: ({ perSecondDone, walPerMovement }) =>
      `${Math.round(perSecondDone)}/s, ${Math.round(walPerMovement)} B of WAL each`,
  });
  const perSecond = busyPart * median(cycles.old.map((each) => each.perSecondDone));
  // Like each cycle above, this run starts with a checkpoint, so that both datasets are measured at the same
  // stage of a checkpoint cycle.
  const wait = (target: LoadTarget) => async () => {
    await target.db.query('checkpoint');
    const run = { seconds: sizes.watchSeconds, connections: 256, perSecond, provedLater: true };
    return runLoad(target, run);
  };
  const waits = await interleave<keyof Waits, RunResult>({
    bench: { ...bench, rounds: Math.max(bench.rounds, options.quick ? 1 : minWaitRounds) },
    contenders: { old: wait(targets.old), young: wait(targets.young) },
    describe: ({ latencies, longestGapMs }) =>
      `99 % within ${latencies.other.p99Ms.toFixed(1)} ms, gap ${longestGapMs.toFixed(0)} ms`,
  });
  const resident = readResidentBytes(targets.old.service.pid);
  const memory = resident && resident / 2 ** 20;
  const disk = await measureDisk(targets.old.db, targets.old.dataset);
  options.say('Verifying both ledgers from their first row …');
  for (const { db, dataset } of Object.values(targets)) await proveDataset(db, dataset);
  drawCycle(options, cycles);
  return presentGrowth({
    cycles,
    waits,
    disk,
    readAhead,
    memory,
    loaded: targets.old.dataset.loaded,
  });
}

async function runCycle(target: LoadTarget, seconds: number): Promise<CycleResult> {
  await target.db.query('checkpoint');
  const first = measureWal(target, Math.min(60, seconds));
  const run = { seconds, connections, provedLater: true };
  const [result, walPerMovement] = await Promise.all([runLoad(target, run), first]);
  return { ...result, walPerMovement };
}

async function measureWal({ db, dataset }: LoadTarget, seconds: number): Promise<number> {
  const read = async () => {
    const { rows } = await db.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
    );
    return { bytes: rows[0]?.bytes ?? 0, movements: await countRows(db, dataset) };
  };
  const before = await read();
  await sleep(seconds * 1000);
  const after = await read();
  return (after.bytes - before.bytes) / (after.movements - before.movements);
}

async function measureDisk(db: Db, dataset: LedgerDataset): Promise<number> {
  return (await measureBytes(db)) / (await countRows(db, dataset));
}
