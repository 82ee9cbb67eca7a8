// Single runs over HTTP: 64 connections to one server, and a check of the ledger afterwards.
import { randomBytes } from 'node:crypto';
import type { ChildServer } from '../child-server.ts';
import { type LoadResult, putLoad } from '../load.ts';
import { readCpuMs, readProcess } from '../machine/processes.ts';
import type { Books, Ledger } from './books.ts';
import { type Costs, costPerMovement, readCounters, type Watched } from './counters.ts';
import type { Dataset } from './dataset.ts';
import { freshIds, type StoredIds, writeUpdateScript } from './update-requests.ts';

const connections = 64;

/**
 * The CPU times of the server and of the load generator wrk, read before wrk starts and after wrk has exited.
 * The kernel adds wrk's CPU time to the time of this process's exited children only when wrk exits.
 */
const readTimes = (pid: number) => ({
  server: readCpuMs(pid),
  generator: readProcess('self')?.endedChildrenMs,
});

export interface Run {
  readonly server: ChildServer;
  readonly seconds: number;
  /** The ledger that the server writes to; undefined if it writes nothing. */
  readonly ledger?: Ledger;
  /** Sends these stored ids again instead of new ids. */
  readonly replay?: readonly StoredIds[];
  /** The database whose counters are read before and after the run. */
  readonly watched?: Watched;
}

export interface RunResult extends LoadResult {
  /** The ids that this run stored, which a later run can repeat. */
  readonly stored: StoredIds;
  readonly costs: Costs | undefined;
  /** The CPU time that the server and wrk use per answer; undefined on systems without /proc. */
  readonly cpuMs: number | undefined;
  readonly generatorCpuMs: number | undefined;
}

export async function runUpdates(
  { dataset, books }: { dataset: Dataset; books: Books },
  { server, seconds, ledger, replay, watched }: Run,
): Promise<RunResult> {
  const { url } = server;
  const tag = randomBytes(4).toString('hex');
  const ids = replay ?? [freshIds(tag)];
  const { headers } = dataset;
  const script = writeUpdateScript({ url, headers, ids, players: 'all' });
  const work = async () => {
    const before = watched && (await readCounters(watched));
    const cpuBefore = readTimes(server.pid);
    const load = await putLoad({ url, requests: [], connections, seconds, script });
    const cpuAfter = readTimes(server.pid);
    const costs = watched && before && costPerMovement(before, await readCounters(watched));
    const per = (name: keyof typeof cpuBefore) => {
      const [from, to] = [cpuBefore[name], cpuAfter[name]];
      return from === undefined || to === undefined ? undefined : (to - from) / load.answers;
    };
    return { ...load, costs, cpuMs: per('server'), generatorCpuMs: per('generator') };
  };
  const result = ledger ? await books.watch(ledger, { connections, fresh: !replay }, work) : await work();
  return { ...result, stored: { tag, count: Math.max(1, result.answers - connections) } };
}
