// Spreads the connections of callers who keep them over all processes behind one port.
import cluster, { type Worker } from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * From a worker that takes connections: how many that callers keep brought a request since it last
 * said so. Back again: how many of them should rather go elsewhere.
 */
type Message = { readonly used?: number; readonly surplus?: number } | null;

const everyMs = 1000;
/** What was said before that is no longer known. */
const maxAgeMs = 3 * everyMs;

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
  // Rounded up: where each has less than one too many, somebody must begin.
  return Math.max(0, Math.min(most, Math.ceil(own - total / all.length)));
}

/** What the processes have said, and what each of them is to be told. */
export function createEvener(now: () => number = () => performance.now()) {
  const known = new Map<number, { used: number; looks: number; atMs: number }>();
  return {
    forget: (id: number) => void known.delete(id),
    /** How many it should give away; it is one of those that live. */
    hear: (id: number, used: number, living: readonly number[]): number => {
      const atMs = now();
      const looks = known.get(id)?.looks ?? 0;
      known.set(id, { used, looks: 0, atMs });
      const heard = living.flatMap((each) => known.get(each) ?? []);
      const all = heard.filter((each) => atMs - each.atMs <= maxAgeMs).map((each) => each.used);
      const surplus = countSurplus(used, all);
      if (surplus === 0) return 0;
      // Their words are of different moments, and what was given away takes a while to arrive.
      if (looks + 1 >= looksUntilDue) return surplus;
      known.set(id, { used, looks: looks + 1, atMs });
      return 0;
    },
  };
}

/** In the process that looks after the others. */
export function evenConnections(listWorkers: () => readonly Worker[]): void {
  const evener = createEvener();
  cluster.on('exit', ({ id }) => evener.forget(id));
  cluster.on('message', (worker, message: Message) => {
    if (typeof message?.used !== 'number') return;
    const living = listWorkers().map(({ id }) => id);
    const surplus = evener.hear(worker.id, message.used, living);
    if (surplus > 0 && worker.isConnected()) worker.send({ surplus } satisfies Message);
  });
}

/** In a process of several: some answers are the last on their connection, as it is told. */
export function giveSurplusAway(server: Server, isLeaving: () => boolean): void {
  if (!cluster.isWorker) return;
  let seen = new WeakSet<Socket>();
  let used = 0;
  let surplus = 0;
  const report = setInterval(() => {
    const isOpen = server.listening && !isLeaving();
    if (isOpen && process.connected) process.send?.({ used } satisfies Message);
    seen = new WeakSet();
    used = 0;
    surplus = 0;
  }, everyMs);
  report.unref();
  process.on('message', (message: Message) => {
    if (typeof message?.surplus === 'number') surplus = message.surplus;
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!response.shouldKeepAlive || seen.has(socket)) return;
    seen.add(socket);
    if (surplus === 0) {
      used++;
      return;
    }
    surplus--;
    response.shouldKeepAlive = false;
  });
}
