// Spreads the connections of callers who keep them over all processes behind one port.
import cluster, { type Worker } from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Message =
  /** From a worker: how many connections brought a request since it last said so. */
  | { readonly used: number }
  /** Back again: how many of them should rather go elsewhere. */
  | { readonly surplus: number };

const everyMs = 1000;

/** Fewer are not worth a new connection. */
const fewConnections = 4;
/** So many times in a row a process must have too many before it is asked to give some away. */
const looksUntilDue = 2;
/** What is moved at once, so that new connections are no load of their own. */
const atOnce = { least: 64, part: 0.05 };

/**
 * A new connection goes to whoever is free at that moment: while one process starts, or is busy, all
 * others go to its mates, and callers who keep them would leave it idle for as long as they do.
 */
export function countSurplus(own: number, all: readonly number[]): number {
  if (Math.min(...all) * 2 + fewConnections >= own) return 0;
  const total = all.reduce((sum, each) => sum + each, 0);
  const most = Math.max(atOnce.least, Math.floor(total * atOnce.part));
  return Math.min(most, Math.floor(own - total / all.length));
}

/** In the process that looks after the others. */
export function evenConnections(listWorkers: () => readonly Worker[]): void {
  const known = new Map<number, { used: number; looks: number }>();
  cluster.on('exit', ({ id }) => known.delete(id));
  cluster.on('message', (worker, message: Message) => {
    if (!('used' in message)) return;
    const { used } = message;
    const { looks } = known.get(worker.id) ?? { looks: 0 };
    known.set(worker.id, { used, looks });
    const all = listWorkers().flatMap(({ id }) => known.get(id)?.used ?? []);
    const surplus = countSurplus(used, all);
    // Their words are of different moments, and what was given away takes a while to arrive.
    const isDue = surplus > 0 && looks + 1 >= looksUntilDue;
    known.set(worker.id, { used, looks: surplus > 0 && !isDue ? looks + 1 : 0 });
    if (isDue && worker.isConnected()) worker.send({ surplus } satisfies Message);
  });
}

/** In a process of several: some answers are the last on their connection, as it is told. */
export function giveSurplusAway(server: Server): void {
  if (!cluster.isWorker) return;
  let seen = new WeakSet<Socket>();
  let used = 0;
  let surplus = 0;
  const report = setInterval(() => {
    if (process.connected) process.send?.({ used } satisfies Message);
    seen = new WeakSet();
    used = 0;
    surplus = 0;
  }, everyMs);
  report.unref();
  process.on('message', (message: Message) => {
    if (message && 'surplus' in message) surplus = message.surplus;
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (seen.has(socket)) return;
    seen.add(socket);
    used++;
    if (surplus === 0 || !response.shouldKeepAlive) return;
    surplus--;
    used--;
    response.shouldKeepAlive = false;
  });
}
