// Reads exports and reports from a replica that is current enough, and from the primary otherwise.
import { repeat } from '../concurrency/repeat.ts';
import type { Logger } from '../observability/logging.ts';
import { createGauge, type Metrics } from '../observability/metrics.ts';
import { deadlineMs } from '../process/deadline-factor.ts';
import {
  asPartOf,
  DatabaseUnavailableError,
  type Db,
  openDb,
  type Queryable,
  type Tx,
} from './db.ts';

const lookEveryMs = 1000;
/** A look that is older than this says nothing of now. */
const maxLookAgeMs = deadlineMs(5000);
/** At the replica at once; the primary takes the others. */
const maxReports = 4;
/** How long a reader may take over a page before its connection is taken back. */
const pageLimit = '5min';

export interface ReportSource {
  readonly db: Db;
  /** Headers that tell how old the data may be; none where it is the primary's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Gives the connection back. */
  close(): void;
}

export interface ReportReader {
  /** For answers that are read piece by piece: one source for all of it, until it is closed. */
  open(): Promise<ReportSource>;
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
  const home: ReportSource = { db: primary, headers: {}, close: () => {} };
  if (given === undefined) {
    const read: ReportReader['read'] = async (ask) => ({
      result: await ask(primary),
      headers: home.headers,
    });
    return { open: async () => home, read, look: async () => {}, close: async () => {} };
  }
  const replica = openDb({
    url: given.url,
    applicationName: 'counterfoil reports',
    // One more for the look: reports that hold all of the others must not blind it.
    maxConnections: maxReports + 1,
    queryTimeoutMs: deadlineMs(10_000),
    onIdleError: () => {},
  });
  const watch = watchLag({ primary, replica, maxLagMs: given.maxLagMs });
  createGauge(options.registry, {
    name: 'replica_lag_seconds',
    help: 'How old reports from the replica may be at most; NaN while it is not known',
    read: () => (watch.lagMs() ?? Number.NaN) / 1000,
  });
  const atReplica = createOpener({ replica, watch, maxLagMs: given.maxLagMs });
  const open = async () => (await atReplica().catch(() => undefined)) ?? home;
  const warn = (error: unknown) =>
    options.logger.warn(
      { err: error },
      'the replica does not answer; reports come from the primary',
    );
  const loop = repeat(watch.look, lookEveryMs, warn);
  void loop.now();
  return {
    open,
    read: async (ask) => {
      const source = await open();
      try {
        return { result: await ask(source.db), headers: source.headers };
      } catch (error) {
        if (source === home || !isReplicaFault(error)) throw error;
        return { result: await ask(primary), headers: home.headers };
      } finally {
        source.close();
      }
    },
    look: () => loop.now(),
    close: async () => {
      await loop.stop();
      await replica.end();
    },
  };
}

/** Undefined where the primary has to answer. */
function createOpener(given: {
  replica: Db;
  watch: ReturnType<typeof watchLag>;
  maxLagMs: number;
}): () => Promise<ReportSource | undefined> {
  const isNear = (lagMs: number | undefined): lagMs is number =>
    lagMs !== undefined && lagMs <= given.maxLagMs;
  let held = 0;
  return async () => {
    if (held >= maxReports || !isNear(given.watch.lagMs())) return undefined;
    held++;
    const { tx, close } = await hold(given.replica, () => held--);
    // The look may have met another standby than this connection leads to: it is asked itself.
    const lagMs = await given.watch.measure(tx).catch(() => undefined);
    if (isNear(lagMs)) {
      const headers = { 'x-replica-lag-seconds': (lagMs / 1000).toFixed(1) };
      return { db: asPartOf(tx), headers, close };
    }
    close();
    return undefined;
  };
}

/**
 * One connection for all that is read: behind one address may stand several standbys, and pages of
 * a file that come from one and another would skip rows or end too soon. A transaction keeps it, also
 * behind a pooler; each statement in it sees what is replayed by then, so that no long snapshot
 * stands in the way of the replay. Nothing is written: whoever reads is told of a failure there.
 */
const hold = (db: Db, onClosed: () => void): Promise<{ tx: Tx; close: () => void }> =>
  new Promise((resolve, reject) => {
    const work = async (tx: Tx) => {
      await tx.query(
        `set transaction read only; set local idle_in_transaction_session_timeout = '${pageLimit}'`,
      );
      await new Promise<void>((close) => resolve({ tx, close }));
    };
    db.transaction(work).catch(reject).finally(onClosed);
  });

/** Gone, or in the way of what it replays: neither is a fault of the question. */
const isReplicaFault = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  // It cannot be served now, or there is no such database there (any more).
  ['40001', '3D000'].includes(String((error as { code?: unknown }).code));

function watchLag(given: { primary: Db; replica: Db; maxLagMs: number }) {
  const positions: LogPosition[] = [];
  let last: { readonly at: number; readonly lagMs: number | undefined } | undefined;
  const measure = async (replica: Queryable): Promise<number | undefined> => {
    const replayed = await readPosition(replica, 'pg_last_wal_replay_lsn()');
    // Nothing to replay: it is a primary itself, as after a failover, and not behind at all.
    return replayed === undefined ? 0 : measureLagMs(positions, replayed, Date.now());
  };
  const look = async (): Promise<void> => {
    try {
      const at = Date.now();
      const position = await readPosition(given.primary, 'pg_current_wal_lsn()');
      positions.push({ at, position: position ?? 0n });
      const oldest = at - given.maxLagMs - 2 * lookEveryMs;
      while (positions.length > 1 && (positions[0]?.at ?? 0) < oldest) positions.shift();
      const lagMs = await measure(given.replica);
      last = { at: Date.now(), lagMs };
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
  return {
    look,
    measure,
    lagMs: () => {
      const age = last ? Date.now() - last.at : maxLookAgeMs;
      return last?.lagMs === undefined || age >= maxLookAgeMs ? undefined : last.lagMs + age;
    },
  };
}

async function readPosition(db: Queryable, position: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ position: bigint | null }>(
    `select pg_wal_lsn_diff(${position}, '0/0')::bigint as position`,
  );
  return rows[0]?.position ?? undefined;
}

/** Where the primary's log ended at some time. */
export interface LogPosition {
  readonly at: number;
  readonly position: bigint;
}

/**
 * `places` are of the primary, oldest first. What the replica has replayed reaches back to the newest
 * of them that it contains; a replica that hears nothing any more falls behind as time passes, which
 * its own clock would not tell. Undefined when it is behind all of them.
 */
export function measureLagMs(
  positions: readonly LogPosition[],
  replayed: bigint,
  now: number,
): number | undefined {
  for (let i = positions.length - 1; i >= 0; i--) {
    const known = positions[i];
    if (known && known.position <= replayed) return Math.max(0, now - known.at);
  }
  return undefined;
}
