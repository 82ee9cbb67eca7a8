// A load target: a service with a dataset, and runs of the load generator against it.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import type { ChildServer } from '../child-server.ts';
import { readFamilyCpuMs } from '../machine/processes.ts';
import { type Generator, type GeneratorResult, startGenerator } from '../open-loop/generator.ts';
import type { RequestPlan } from '../open-loop/requests.ts';
import type { Stage } from '../open-loop/schedule.ts';
import { tenthMs } from '../open-loop/tally.ts';
import { startWallet } from '../wallet/servers.ts';
import { proveDataset, settleRows } from './books.ts';
import type { LedgerDataset } from './dataset.ts';

export interface LoadTarget {
  readonly dataset: LedgerDataset;
  readonly db: Db;
  readonly service: ChildServer;
  readonly generator: Generator;
  readonly postgresPid: number;
}

export interface Run {
  readonly seconds: number;
  readonly connections: number;
  readonly perSecond?: number;
  /** The rate and duration of a second stage, directly after the first stage. */
  readonly then?: Stage;
  readonly plan?: Partial<RequestPlan>;
  /** If true, the run is valid even if requests are refused. Measurements of overload need this setting. */
  readonly mayRefuse?: boolean;
  /**
   * If true, the ledger is not verified after this run. The suite verifies the ledger once, after its last
   * run, because a verification takes minutes.
   */
  readonly provedLater?: boolean;
}

export interface RunResult extends GeneratorResult {
  /** Successes per second in the first stage. */
  readonly perSecondDone: number;
  readonly tag: string;
  /** CPU milliseconds per success; undefined on systems without /proc. */
  readonly cpu: Readonly<Record<'service' | 'postgres' | 'generator', number | undefined>>;
}

/** The rate of successes, counting only the answers that arrived during the run. */
function rateOf(timeline: readonly number[], seconds: number): number {
  const tenths = timeline.slice(0, Math.round((seconds * 1000) / tenthMs));
  return tenths.reduce((sum, each) => sum + each, 0) / seconds;
}

export async function withLoadTarget<T>(
  given: {
    dataset: LedgerDataset;
    postgresPid: number;
    env?: Record<string, string>;
    execArgv?: string[];
  },
  work: (target: LoadTarget) => Promise<T>,
): Promise<T> {
  const { dataset, postgresPid } = given;
  const db = openDb({ url: dataset.url, applicationName: 'bench target', queryTimeoutMs: 600_000 });
  const generator = await startGenerator();
  try {
    const service = await startWallet(dataset, given.env, given.execArgv);
    try {
      return await work({ dataset, db, service, generator, postgresPid });
    } finally {
      await service.stop();
    }
  } finally {
    generator.stop();
    await db.end();
  }
}

/**
 * Runs the load. Throws if a request fails or is refused; with `mayRefuse`, refusals and unknown outcomes are
 * allowed. Also throws if the number of new rows does not match the answers, or if the ledger has flaws. With
 * `provedLater`, the ledger is not verified.
 */
export async function runLoad(target: LoadTarget, run: Run): Promise<RunResult> {
  const { dataset, service, generator, postgresPid } = target;
  const tag = randomBytes(4).toString('hex');
  const before = await settleRows(target.db, dataset);
  const cpuBefore = [readFamilyCpuMs(service.pid), readFamilyCpuMs(postgresPid)];
  const { connections, perSecond, then } = run;
  const seconds = run.seconds + (then?.seconds ?? 0);
  const stages = [{ perSecond: perSecond ?? 0, seconds: run.seconds }, ...(then ? [then] : [])];
  const result = await generator.run({
    url: service.url,
    seconds,
    connections,
    ...(perSecond !== undefined && { stages }),
    plan: {
      packages: dataset.packages.map((each) => each.headers),
      players: dataset.players,
      digits: dataset.digits,
      tag,
      ...run.plan,
    },
  });
  const cpuAfter = [readFamilyCpuMs(service.pid), readFamilyCpuMs(postgresPid)];
  await checkRun(target, run, result, before);
  const per = (i: number) => {
    const [from, to] = [cpuBefore[i], cpuAfter[i]];
    return from === undefined || to === undefined ? undefined : (to - from) / result.succeeded;
  };
  const cpu = { service: per(0), postgres: per(1), generator: result.cpuMs / result.succeeded };
  return { ...result, tag, cpu, perSecondDone: rateOf(result.timeline, run.seconds) };
}

/** After a failure for one of these reasons, the outcome is unknown: the movement may have been written. */
const unknownReasons = ['outcome_unknown', 'no answer'];

export const countUnknown = ({ failures }: GeneratorResult): number =>
  unknownReasons.reduce((sum, reason) => sum + (failures[reason] ?? 0), 0);

async function checkRun(
  { db, dataset }: LoadTarget,
  run: Run,
  result: GeneratorResult,
  before: number,
): Promise<void> {
  const unknown = run.mayRefuse ? countUnknown(result) : 0;
  const counted = Object.entries(result.failures).filter(
    ([reason]) => !(run.mayRefuse && unknownReasons.includes(reason)),
  );
  const faults = counted.map(([reason, count]) => `${count} ${reason}`);
  if (faults.length > 0) throw new Error(`not every answer was successful: ${faults.join(', ')}`);
  if (!run.mayRefuse && result.refused.length > 0) {
    throw new Error(`${result.refused.length} requests were refused as overload`);
  }
  if (result.succeeded === 0) throw new Error('nothing was answered');
  const rows = (await settleRows(db, dataset)) - before;
  if (rows < result.written || rows > result.written + unknown) {
    throw new Error(`the run is void, because ${result.written} answers wrote ${rows} rows`);
  }
  if (!run.provedLater) await proveDataset(db, dataset);
}

export const metricsToken = 'bench-metrics-token-0123456789abcdef';
const withinMs = 180_000;

/** Waits until the service has loaded its players into memory, and returns how many seconds that took. */
export async function awaitPlayers({ service, dataset }: LoadTarget): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const tookMs = performance.now() - startedAt;
    if ((await countPlayers(service.url)) >= dataset.players) return tookMs / 1000;
    if (tookMs > withinMs) throw new Error('the service did not load its players in time');
    await sleep(200);
  }
}

async function countPlayers(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const answer = await fetch(`${url}/metrics`, { headers });
  const found = /^\w*players_in_memory(?:\{\S*\})? (\d+)/m.exec(await answer.text());
  if (!found) throw new Error(`the metrics do not contain the number of players (${answer.status})`);
  return Number(found[1]);
}
