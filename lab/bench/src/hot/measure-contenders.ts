// Measures the CPU time per request of each operation in interleaved rounds.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { ChildServer } from '../child-server.ts';
import { interleave } from '../interleave.ts';
import { type LoadOptions, putLoad } from '../load.ts';
import { settleRows } from '../load-target/books.ts';
import { readCpuMs, readFamilyCpuMs, readProcess } from '../machine/processes.ts';
import type { BenchOptions } from '../measurement.ts';
import type { PackageDataset } from '../wallet/dataset.ts';

const connections = 64;
/** V8 compiles the code of an operation in several steps, the last of them after some seconds of load. */
const warmUpSeconds = 5;

export interface Contender {
  readonly server: ChildServer;
  /**
   * Set if every answer stores a movement. `spare` is the number of rows by which rows and answers may differ
   * in addition to one row per connection.
   */
  readonly rows: { readonly spare: number } | undefined;
  /** The requests of one run. All ids of the run begin with the tag. */
  readonly send: (tag: string) => Pick<LoadOptions, 'requests' | 'script'>;
}

/** The figures of one run. CPU times are per request; they are NaN on systems without /proc. */
export interface HotResult {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly generatorUs: number;
  readonly walBytes: number;
}

interface Target<Name extends string> {
  readonly db: Db;
  readonly datasets: readonly PackageDataset[];
  readonly postgresPid: number;
  readonly contenders: Readonly<Record<Name, Contender>>;
  readonly options: BenchOptions;
}

export async function measureContenders<Name extends string>(
  target: Target<Name>,
): Promise<Record<Name, HotResult[]>> {
  const { options, contenders, db } = target;
  const names = Object.keys(contenders) as Name[];
  options.say(`Warming up, then ${options.rounds} rounds of ${options.seconds} s each …`);
  // After a checkpoint, PostgreSQL writes each page to the WAL in full when the page first changes. Most of
  // these full pages are written during the warm-up.
  await db.query('checkpoint');
  for (const name of names) {
    await measure(target, contenders[name], options.quick ? 1 : warmUpSeconds);
  }
  return interleave<Name, HotResult>({
    bench: options,
    contenders: Object.fromEntries(
      names.map((name) => [name, () => measure(target, contenders[name], options.seconds)]),
    ) as Record<Name, () => Promise<HotResult>>,
    describe: ({ perSecond, serviceUs, postgresUs }) =>
      `${Math.round(perSecond)}/s, ${serviceUs.toFixed(1)} + ${postgresUs.toFixed(1)} µs`,
  });
}

async function measure(
  { db, datasets, postgresPid }: Target<string>,
  { server, rows, send }: Contender,
  seconds: number,
): Promise<HotResult> {
  const packages = { packages: datasets.map(({ packageId }) => ({ id: packageId })) };
  const rowsBefore = await settleRows(db, packages);
  await awaitIdle(server.pid, postgresPid);
  const before = await readTotals(db, server.pid, postgresPid);
  const { url } = server;
  const load = await putLoad({ ...send(randomBytes(4).toString('hex')), url, connections, seconds });
  // Log lines are written some time after the answers, so the measurement ends when this work is done.
  await awaitIdle(server.pid, postgresPid);
  const after = await readTotals(db, server.pid, postgresPid);
  const written = (await settleRows(db, packages)) - rowsBefore;
  checkRows(load.answers, written, rows);
  const per = (name: keyof typeof after) => (after[name] - before[name]) / load.answers;
  return {
    perSecond: load.perSecond,
    p99Ms: load.p99Ms,
    serviceUs: per('serviceMs') * 1000,
    postgresUs: per('postgresMs') * 1000,
    generatorUs: per('generatorMs') * 1000,
    walBytes: per('walBytes'),
  };
}

/** At the end of a run, each connection may have an order that is written but whose answer is not counted. */
function checkRows(answers: number, written: number, rows: Contender['rows']): void {
  const least = rows ? answers - rows.spare : 0;
  const most = rows ? answers + connections + rows.spare : 0;
  if (written >= least && written <= most) return;
  throw new Error(`the run is void, because ${answers} answers wrote ${written} rows`);
}

async function readTotals(db: Db, servicePid: number, postgresPid: number) {
  const { rows } = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return {
    serviceMs: readCpuMs(servicePid) ?? Number.NaN,
    postgresMs: readFamilyCpuMs(postgresPid) ?? Number.NaN,
    // wrk's CPU time is added to the time of this process's exited children when wrk exits.
    generatorMs: readProcess('self')?.endedChildrenMs ?? Number.NaN,
    walBytes: rows[0]?.bytes ?? Number.NaN,
  };
}

const pauseMs = 100;
/** A service and its database use less CPU time than this per pause while no request is in flight. */
const idleMs = 10;
const maxPauses = 20;

/** Waits until service and database are idle, or for 2 s if background work keeps them busy. */
async function awaitIdle(servicePid: number, postgresPid: number): Promise<void> {
  const read = () => (readCpuMs(servicePid) ?? 0) + (readFamilyCpuMs(postgresPid) ?? 0);
  let last = read();
  for (let pauses = 0; pauses < maxPauses; pauses++) {
    await sleep(pauseMs);
    const now = read();
    if (now - last <= idleMs) return;
    last = now;
  }
}
