// Buffers callback log lines and forged callbacks, and writes them once per second.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import { keepPartitions, type PartitionedTable } from '@counterfoil/kit/postgres/partitions';
import { recordAudit } from '../audit/record-audit.ts';
import { createOrDrop, dailyLog, writeLog } from '../logs/write-log.ts';
import type { PackageFinder } from '../packages/callers/find-package.ts';
import { platformTenant } from '../platform.ts';
import { createCallbackBuffer } from './callback-buffer.ts';
import type { CallbackLine, MergedLine } from './callback-log.ts';
import { createForgedBuffer, type ForgedLine, type ForgedSink } from './forged-callbacks.ts';
import { insertCallbackLines } from './store.ts';

const hourMs = 3_600_000;
/** The maximum number of buffered lines per process. A full buffer takes about 20 MB. */
const maxLines = 20_000;
const maxRows = 2000;

export interface CallbackRecorder {
  readonly forged: ForgedSink;
  add(line: CallbackLine): void;
  /** Writes the buffer now, so that a test need not wait for the next regular write. */
  flush(): Promise<void>;
  /** Creates the partitions of the coming days and drops those of expired days. */
  maintainPartitions(): Promise<void>;
  close(): Promise<void>;
}

export interface CallbackRecorderOptions {
  readonly db: Db;
  readonly finder: PackageFinder;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  /**
   * The number of days for which the log is stored; 0 turns the log off. Forged callbacks are still recorded
   * in the audit log.
   */
  readonly logDays: number;
  readonly everyMs: number;
  /**
   * The tables of other logs. Their partitions are created and dropped in the same run as those of the
   * callback log, because concurrent runs would deadlock.
   */
  readonly otherTables: readonly PartitionedTable[];
}

export function createCallbackRecorder(options: CallbackRecorderOptions): CallbackRecorder {
  const { db, logger, registry, logDays } = options;
  const table = dailyLog('callback_log', logDays);
  const counters = createCounters(registry);
  const orDrop = createOrDrop({
    dropped: counters.dropped,
    logger,
    message: 'the callback log could not be written',
  });
  const buffer = createCallbackBuffer({ maxLines, onDropped: () => counters.dropped.add() });
  const forged = createForgedBuffer(options.now);
  let waiting: MergedLine[] = [];
  let forgeries: ForgedLine[] = [];

  const writeLines = async (): Promise<void> => {
    if (waiting.length === 0) waiting = buffer.drain();
    while (waiting.length > 0) {
      const part = waiting.slice(0, maxRows);
      await orDrop(part.length, () => writeLog(db, table, part, insertCallbackLines));
      waiting = waiting.slice(maxRows);
    }
  };
  const writeForgeries = async (all: boolean): Promise<void> => {
    if (forgeries.length === 0) forgeries = forged.drain({ all });
    for (let line = forgeries[0]; line; line = forgeries[0]) {
      const each = line;
      await orDrop(1, () => recordForgery(options, each));
      forgeries.shift();
    }
  };
  const flush = async (all = false) => {
    await writeForgeries(all);
    await writeLines();
  };
  const maintainPartitions = () => keepPartitions(db, [table, ...options.otherTables], options.now());
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const loops = [
    repeat(() => flush(), options.everyMs, warn('the callback log is waiting for the database')),
    repeat(maintainPartitions, hourMs, warn('partitions could not be created or dropped')),
  ] as const;
  void loops[1].now();
  return {
    forged: {
      record: (forgery) => {
        counters.forged.add();
        forged.record(forgery);
      },
    },
    add: (line) => {
      counters[line.status === 200 ? 'repeated' : 'refused'].add();
      if (logDays > 0) buffer.add(line);
    },
    flush: () => loops[0].now(),
    maintainPartitions,
    close: async () => {
      for (const loop of loops) await loop.stop();
      await flush(true)
        .then(() => flush(true))
        .catch(warn('the last lines of the callback log could not be written'));
    },
  };
}

const createCounters = (registry: Metrics) => ({
  dropped: createCounter(registry, {
    name: 'callback_log_dropped_total',
    help: 'Lines of the callback log that were dropped: the buffer was full, or the database refused them',
  }),
  forged: createCounter(registry, {
    name: 'callbacks_forged_total',
    help: 'Callbacks with missing or invalid credentials, signature or time',
  }),
  repeated: createCounter(registry, {
    name: 'callbacks_repeated_total',
    help: 'Callbacks that repeated an earlier one',
  }),
  refused: createCounter(registry, {
    name: 'callbacks_refused_total',
    help: 'Callbacks that were refused or failed and are in the callback log',
  }),
});

/**
 * Records a forgery in the audit log of its package, or in the platform's audit log if the UID is unknown.
 */
async function recordForgery(options: CallbackRecorderOptions, line: ForgedLine): Promise<void> {
  const found = line.uid === '' ? undefined : await options.finder.find(line.uid);
  const packageId = found?.id ?? Number(platformTenant);
  await options.db.transaction((tx) =>
    recordAudit(tx, {
      packageId,
      at: line.firstAt,
      actor: { kind: 'stranger', address: line.address },
      action: 'callback_forged',
      subject: { kind: 'package', id: String(packageId) },
      details: { reason: line.reason, count: line.count },
    }),
  );
}
