// Reads exports and reports from a replica if its data is current enough, and otherwise from the primary.
import { repeat } from '../concurrency/repeat.ts';
import type { Logger } from '../observability/logging.ts';
import { createGauge, type Metrics } from '../observability/metrics.ts';
import { deadlineMs } from '../process/deadline-factor.ts';
import { asPartOf, DatabaseUnavailableError, type Db, openDb, type Queryable, type Tx } from './db.ts';

const lookEveryMs = 1000;
/** The age from which a measurement of the lag is ignored. */
const maxLookAgeMs = deadlineMs(5000);
/** The maximum number of concurrent reports on the replica. Further reports read from the primary. */
const maxReports = 4;
/** If a report reads no page for this time, its connection is closed. */
const pageLimit = '5min';

export interface ReportSource {
  readonly db: Db;
  /** Headers with the maximum age of the data. There are none if the data comes from the primary. */
  readonly headers: Readonly<Record<string, string>>;
  /** Closes the source and releases its connection. */
  close(): void;
}

export interface ReportReader {
  /** Opens a source for an answer that needs several queries. All queries of the answer use this source. */
  open(): Promise<ReportSource>;
  /** Runs one query. If the replica fails, the primary answers. */
  read<T>(ask: (db: Db) => Promise<T>): Promise<{ result: T; headers: ReportSource['headers'] }>;
  /** Measures the lag of the replica at once, without waiting for the timer. Only tests call it. */
  look(): Promise<void>;
  close(): Promise<void>;
}

interface ReportReaderOptions {
  readonly db: Db;
  readonly replica: { readonly url: string; readonly maxLagMs: number } | undefined;
  readonly logger: Logger;
  readonly registry: Metrics;
}

export function createReportReader(options: ReportReaderOptions): ReportReader {
  const { db: primary, replica: given } = options;
  const home: ReportSource = { db: primary, headers: {}, close: () => {} };
  if (given === undefined) {
    const read: ReportReader['read'] = async (ask) => ({ result: await ask(primary), headers: home.headers });
    return { open: async () => home, read, look: async () => {}, close: async () => {} };
  }
  const replica = openDb({
    url: given.url,
    applicationName: 'counterfoil reports',
    // One additional connection can measure the lag while reports use all other connections.
    maxConnections: maxReports + 1,
    queryTimeoutMs: deadlineMs(10_000),
    onIdleError: () => {},
  });
  const watch = watchLag({ primary, replica, maxLagMs: given.maxLagMs });
  createGauge(options.registry, {
    name: 'replica_lag_seconds',
    help: 'Maximum age of reports from the replica; NaN while it is unknown',
    read: () => (watch.lagMs() ?? Number.NaN) / 1000,
  });
  const atReplica = createOpener({ replica, watch, maxLagMs: given.maxLagMs });
  const open = async () => (await atReplica().catch(() => undefined)) ?? home;
  const warn = (error: unknown) =>
    options.logger.warn({ err: error }, 'the replica does not answer; reports come from the primary');
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

/**
 * Returns a function that opens the replica for a report, and resolves to undefined if the primary must
 * answer.
 */
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
    // The lag is measured again on this connection, because a connection to the same address may reach
    // another standby.
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
 * Holds one connection for all pages of a report. Several standbys may share one address, and a report with
 * pages from different standbys could miss rows. The connection is held by a read-only transaction, which
 * also works through a pooler. Each statement has its own snapshot, so a long report does not delay the
 * standby's replay.
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

/**
 * Whether only the replica failed, so that the primary can answer instead. The replica may be unreachable,
 * or the query may conflict with the replay of the WAL.
 */
const isReplicaFault = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  // 40001: the query conflicts with the replay. 3D000: the database does not exist on the replica.
  ['40001', '3D000'].includes(String((error as { code?: unknown }).code));

function watchLag(given: { primary: Db; replica: Db; maxLagMs: number }) {
  const positions: LogPosition[] = [];
  let last: { readonly at: number; readonly lagMs: number | undefined } | undefined;
  const measure = async (replica: Queryable): Promise<number | undefined> => {
    const replayed = await readPosition(replica, 'pg_last_wal_replay_lsn()');
    // A server without a replay position is a primary, for example after a failover, and has no lag.
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

/** The end of the primary's write-ahead log at the time `at`. */
export interface LogPosition {
  readonly at: number;
  readonly position: bigint;
}

/**
 * Computes the lag of a replica. `positions` are the positions of the primary, oldest first. The lag is the
 * age of the newest position that the replica has replayed. So the lag also grows while the replica receives
 * nothing. Returns undefined if the replica has replayed none of the positions.
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
