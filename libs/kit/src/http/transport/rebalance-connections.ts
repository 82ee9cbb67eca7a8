// Distributes open HTTP connections evenly over all processes that share a port.
import cluster, { type Worker } from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A message from a worker contains the number of its connections that sent a request since its last message.
 * A message to a worker contains the number of connections that the worker should close.
 */
type Message = { readonly used?: number; readonly excess?: number } | null;

const reportEveryMs = 1000;
/** The age from which a report is ignored. */
const maxAgeMs = 3 * reportEveryMs;

/**
 * The smallest difference that is corrected. A smaller difference is not worth the cost of new connections.
 */
const minDifference = 4;
/** How many reports in a row must show an excess before a process is asked to close connections. */
const reportsUntilDue = 2;
/**
 * A process closes at most 5 % of its connections at a time, or 64 connections if that is more, so that
 * reconnecting causes little load.
 */
const atOnce = { min: 64, share: 0.05 };

/**
 * The operating system gives a new connection to a process that is free at that moment. While one process
 * starts or is busy, the other processes get all new connections. Clients keep their connections open. So
 * without rebalancing, the process that was starting or busy would get few requests afterwards.
 */
export function countExcess(own: number, all: readonly number[]): number {
  if (Math.min(...all) * 2 + minDifference >= own) return 0;
  const total = all.reduce((sum, each) => sum + each, 0);
  const max = Math.max(atOnce.min, Math.floor(total * atOnce.share));
  // The number is rounded up, so that a connection moves even if the excess of each process is less than one.
  return Math.max(0, Math.min(max, Math.ceil(own - total / all.length)));
}

/** Stores the reports of all processes and decides which processes must close connections. */
export function createRebalancer(now: () => number = () => performance.now()) {
  const reports = new Map<number, { used: number; inExcess: number; atMs: number }>();
  return {
    remove: (id: number) => void reports.delete(id),
    /**
     * Stores a report, and returns how many connections the reporting process should close. `living` lists
     * all running processes, including the reporting process.
     */
    report: (id: number, used: number, living: readonly number[]): number => {
      const atMs = now();
      const inExcess = reports.get(id)?.inExcess ?? 0;
      reports.set(id, { used, inExcess: 0, atMs });
      const known = living.flatMap((each) => reports.get(each) ?? []);
      const all = known.filter((each) => atMs - each.atMs <= maxAgeMs).map((each) => each.used);
      const excess = countExcess(used, all);
      if (excess === 0) return 0;
      // A single report may show an excess that does not last: the processes report at different times, and
      // the clients of closed connections take a while to connect to another process. So connections are
      // closed only after several reports with an excess.
      if (inExcess + 1 >= reportsUntilDue) return excess;
      reports.set(id, { used, inExcess: inExcess + 1, atMs });
      return 0;
    },
  };
}

/**
 * Call this function in the primary process. It tells workers with too many connections to close some of
 * them.
 */
export function rebalanceConnections(listWorkers: () => readonly Worker[]): void {
  const rebalancer = createRebalancer();
  cluster.on('exit', ({ id }) => rebalancer.remove(id));
  cluster.on('message', (worker, message: Message) => {
    if (typeof message?.used !== 'number') return;
    const living = listWorkers().map(({ id }) => id);
    const excess = rebalancer.report(worker.id, message.used, living);
    if (excess > 0 && worker.isConnected()) worker.send({ excess } satisfies Message);
  });
}

/**
 * Call this function in a worker. It reports the number of the worker's connections to the primary process,
 * and closes as many connections as the primary process demands.
 */
export function closeExcessConnections(server: Server, isLeaving: () => boolean): void {
  if (!cluster.isWorker) return;
  let seen = new WeakSet<Socket>();
  let used = 0;
  let excess = 0;
  const report = setInterval(() => {
    const isOpen = server.listening && !isLeaving();
    if (isOpen && process.connected) process.send?.({ used } satisfies Message);
    seen = new WeakSet();
    used = 0;
    excess = 0;
  }, reportEveryMs);
  report.unref();
  process.on('message', (message: Message) => {
    if (typeof message?.excess === 'number') excess = message.excess;
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!response.shouldKeepAlive || seen.has(socket)) return;
    seen.add(socket);
    if (excess === 0) {
      used++;
      return;
    }
    excess--;
    response.shouldKeepAlive = false;
  });
}
