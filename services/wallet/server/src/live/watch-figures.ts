// Polls the packages that people watch. Each tick needs one query per package, however many people watch it.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Ledger } from '../ledger/engine/ledger.ts';
import type { Latency, LatencyReader } from './latency.ts';
import { listSeconds, type Second } from './queries.ts';

/** A new watcher gets the figures of the last `windowSeconds`. One query reads at most `maxRows` rows. */
const windowSeconds = 300;
const maxRows = 20_000;

export interface Figures {
  readonly seconds: readonly Second[];
  readonly queue: number;
  readonly latency: Latency;
  readonly at: Date;
}

type Listener = (figures: Figures) => void;

interface Watched {
  last: bigint;
  seconds: Map<number, Second>;
  readonly listeners: Set<Listener>;
}

export type FigureWatch = ReturnType<typeof createFigureWatch>;

export function createFigureWatch(deps: {
  db: Db;
  ledger: Pick<Ledger, 'queueSize'>;
  latency: LatencyReader;
  logger: Logger;
  now: () => Date;
  tickMs: number;
}) {
  const { db, now, logger, tickMs } = deps;
  const watched = new Map<number, Watched>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (packageId: number, entry: Watched): Promise<void> => {
    const at = now();
    const oldest = Math.floor(at.getTime() / 1000) - windowSeconds;
    const since = new Date(oldest * 1000);
    const found = await listSeconds(db, { packageId, after: entry.last, since, rows: maxRows });
    entry.last = found.last;
    for (const second of found.seconds) {
      const known = entry.seconds.get(second.at);
      entry.seconds.set(second.at, known ? join(known, second) : second);
    }
    for (const second of entry.seconds.keys()) {
      if (second < oldest) entry.seconds.delete(second);
    }
  };

  const tick = async (): Promise<void> => {
    const latency = deps.latency.read();
    for (const [packageId, entry] of watched) {
      await look(packageId, entry).catch((error: unknown) =>
        logger.warn({ err: error, packageId }, 'live figures could not be read'),
      );
      const seconds = [...entry.seconds.values()].sort((a, b) => a.at - b.at);
      const figures = { seconds, queue: deps.ledger.queueSize(), latency, at: now() };
      for (const listener of entry.listeners) listener(figures);
    }
    timer = watched.size > 0 ? setTimeout(tick, tickMs).unref() : undefined;
  };

  return {
    /** Calls `listener` with the figures of the package, and returns a function that ends these calls. */
    watch: (packageId: number, listener: Listener) => {
      const fresh = { last: 0n, seconds: new Map(), listeners: new Set<Listener>() };
      const entry = watched.get(packageId) ?? fresh;
      watched.set(packageId, entry);
      entry.listeners.add(listener);
      timer ??= setTimeout(tick, 0).unref();
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0 && watched.get(packageId) === entry) {
          watched.delete(packageId);
        }
      };
    },
    close: () => {
      clearTimeout(timer);
      watched.clear();
    },
  };
}

const join = (a: Second, b: Second): Second => ({
  at: a.at,
  bets: a.bets + b.bets,
  wins: a.wins + b.wins,
  rollbacks: a.rollbacks + b.rollbacks,
  movements: a.movements + b.movements,
  refused: a.refused + b.refused,
});
