// Reads exports and reports at a replica while it is near enough, and at the primary otherwise.
import { DatabaseUnavailableError, type Db, openDb } from './db.ts';
import type { Logger } from './logging.ts';
import { createGauge, type Metrics } from './metrics.ts';
import { repeat } from './repeat.ts';
import { type LogPlace, measureLagMs } from './replica-lag.ts';

const lookEveryMs = 1000;
/** A look that is older than this says nothing of now. */
const maxLookAgeMs = 5000;

export interface ReportSource {
  readonly db: Db;
  /** Headers that tell how old the data may be; none where it is the primary's own. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReportReader {
  /** For answers that are read piece by piece: one source for all of it. */
  choose(): ReportSource;
  /** For one question: should the replica fail it, the primary answers. */
  read<T>(ask: (db: Db) => Promise<T>): Promise<{ result: T; headers: ReportSource['headers'] }>;
  /** Looks now; a test need not wait a second. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface ReportReaderOptions {
  readonly db: Db;
  readonly replica: { readonly url: string; readonly maxLagMs: number } | undefined;
  readonly logger: Logger;
  readonly registry: Metrics;
}

export function createReportReader(options: ReportReaderOptions): ReportReader {
  const { db: primary, replica: given } = options;
  const home: ReportSource = { db: primary, headers: {} };
  if (given === undefined) {
    const read: ReportReader['read'] = async (ask) => ({
      ...{ result: await ask(primary), headers: home.headers },
    });
    return { choose: () => home, read, look: async () => {}, close: async () => {} };
  }
  const replica = openDb({
    url: given.url,
    applicationName: 'counterfoil reports',
    maxConnections: 4,
    queryTimeoutMs: 10_000,
    onIdleError: () => {},
  });
  const watch = watchLag({ primary, replica, maxLagMs: given.maxLagMs });
  createGauge(options.registry, {
    name: 'replica_lag_seconds',
    help: 'How old reports from the replica may be at most; NaN while it is not known',
    read: () => (watch.lagMs() ?? Number.NaN) / 1000,
  });
  const choose = (): ReportSource => {
    const lagMs = watch.lagMs();
    if (lagMs === undefined || lagMs > given.maxLagMs) return home;
    return { db: replica, headers: { 'x-replica-lag-seconds': (lagMs / 1000).toFixed(1) } };
  };
  const warn = (error: unknown) =>
    options.logger.warn(
      { err: error },
      'the replica does not answer; reports come from the primary',
    );
  const loop = repeat(watch.look, lookEveryMs, warn);
  void loop.now();
  return {
    choose,
    read: async (ask) => {
      const source = choose();
      try {
        return { result: await ask(source.db), headers: source.headers };
      } catch (error) {
        if (source === home || !isReplicaFault(error)) throw error;
        return { result: await ask(primary), headers: home.headers };
      }
    },
    look: () => loop.now(),
    close: async () => {
      await loop.stop();
      await replica.end();
    },
  };
}

/** Gone, or in the way of what it replays: neither is a fault of the question. */
const isReplicaFault = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  // It cannot be served now, or there is no such database there (any more).
  ['40001', '3D000'].includes(String((error as { code?: unknown }).code));

function watchLag(given: { primary: Db; replica: Db; maxLagMs: number }) {
  const places: LogPlace[] = [];
  let last: { readonly at: number; readonly lagMs: number | undefined } | undefined;
  const look = async (): Promise<void> => {
    last = undefined;
    const place = await askPlace(given.primary, 'pg_current_wal_lsn()');
    places.push({ at: Date.now(), place: place ?? 0n });
    const oldest = Date.now() - given.maxLagMs - 2 * lookEveryMs;
    while (places.length > 1 && (places[0]?.at ?? 0) < oldest) places.shift();
    const replayed = await askPlace(given.replica, 'pg_last_wal_replay_lsn()');
    const now = Date.now();
    // Nothing to replay: it is a primary itself, as after a failover, and not behind at all.
    last = { at: now, lagMs: replayed === undefined ? 0 : measureLagMs(places, replayed, now) };
  };
  return {
    look,
    lagMs: () => {
      const age = last ? Date.now() - last.at : maxLookAgeMs;
      return last?.lagMs === undefined || age >= maxLookAgeMs ? undefined : last.lagMs + age;
    },
  };
}

async function askPlace(db: Db, place: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ place: bigint | null }>(
    `select pg_wal_lsn_diff(${place}, '0/0')::bigint as place`,
  );
  return rows[0]?.place ?? undefined;
}
