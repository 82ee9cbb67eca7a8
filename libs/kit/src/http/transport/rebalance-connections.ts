// Keeps the numbers of open HTTP connections similar in all processes that share a port.
import cluster, { type Worker } from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A message between a worker and the primary process. A worker sends `used`: the number of its connections
 * on which a request arrived since its last message. The primary process sends `excess`: the number of
 * connections that the worker should close.
 */
type Message = { readonly used?: number; readonly excess?: number } | null;

const reportEveryMs = 1000;
/** Reports that are older than this are ignored. */
const maxAgeMs = 3 * reportEveryMs;

/**
 * A process closes connections only if it has more than twice the connections of the process with the fewest,
 * plus this number. A smaller difference is not worth the cost of new connections.
 */
const minDifference = 4;
/** How many reports in a row must show an excess before a process is asked to close connections. */
const reportsUntilDue = 2;
/**
 * At a time, a process closes at most 5 % of the connections of all processes, or 64 connections if that is
 * more. So the reconnecting clients cause little load.
 */
const atOnce = { min: 64, share: 0.05 };

/**
 * Returns the number of connections that a process should close. The operating system gives a new connection
 * to a process that is free at that moment. While one process starts or is busy, the other processes get all
 * new connections, and clients keep these connections open. Without rebalancing, the process that was
 * starting or busy would therefore also get few requests later.
 */
export function countExcess(own: number, all: readonly number[]): number {
  if (Math.min(...all) * 2 + minDifference >= own) return 0;
  const total = all.reduce((sum, each) => sum + each, 0);
  const max = Math.max(atOnce.min, Math.floor(total * atOnce.share));
  // The number is rounded up, so that an excess of less than one connection still moves a connection.
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
      // One report may show an excess that soon disappears. One reason is that the processes report at
      // different times. Another reason is that clients of closed connections need time to connect to another
      // process. So connections are closed only after several reports with an excess.
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

/** Counts the connections of a worker on which a request arrived since the last report. */
export function createConnectionCounter() {
  let seen = new WeakSet<object>();
  let used = 0;
  let excess = 0;
  return {
    /** Returns false if the connection must be closed, because it is in excess and not counted yet. */
    count: (connection: object): boolean => {
      if (seen.has(connection)) return true;
      if (excess > 0) return false;
      seen.add(connection);
      used++;
      return true;
    },
    /** Records that a connection in excess is being closed. */
    close: (connection: object): void => {
      seen.add(connection);
      excess--;
    },
    setExcess: (connections: number): void => {
      excess = connections;
    },
    /** Returns the number of counted connections, and starts the next report. */
    takeReport: (): number => {
      const counted = used;
      seen = new WeakSet();
      used = 0;
      excess = 0;
      return counted;
    },
  };
}

/**
 * Call this function in a worker. It reports the number of the worker's connections to the primary process,
 * and closes as many connections as the primary process demands. The returned function counts a connection
 * whose request bypasses node:http. It returns false if node:http must serve the request, because the answer
 * must close the connection.
 */
export function closeExcessConnections(
  server: Server,
  options: {
    readonly isLeaving: () => boolean;
    /** Whether a load balancer has chosen this process for the connection. It is then not counted. */
    readonly isPinned?: (socket: Socket) => boolean;
  },
): (socket: Socket) => boolean {
  if (!cluster.isWorker) return () => true;
  const counter = createConnectionCounter();
  const count = (socket: Socket) => options.isPinned?.(socket) === true || counter.count(socket);
  const report = setInterval(() => {
    const used = counter.takeReport();
    const isOpen = server.listening && !options.isLeaving();
    if (isOpen && process.connected) process.send?.({ used } satisfies Message);
  }, reportEveryMs);
  report.unref();
  process.on('message', (message: Message) => {
    if (typeof message?.excess === 'number') counter.setExcess(message.excess);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!response.shouldKeepAlive || count(socket)) return;
    counter.close(socket);
    response.shouldKeepAlive = false;
  });
  return count;
}
