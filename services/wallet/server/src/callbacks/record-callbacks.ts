// Writes down what callbacks left behind: about once a second, at the end, never in an answer's way.

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
import type { CallbackLine, FoldedLine } from './callback-log.ts';
import { createForgedBuffer, type ForgedLine, type ForgedSink } from './forged-callbacks.ts';
import { insertCallbackLines } from './store.ts';

const hourMs = 3_600_000;
/** Lines that wait for a flush, per process; about 20 MB at the very worst. */
const maxLines = 20_000;
const maxRows = 2000;

export interface CallbackRecorder {
  readonly forged: ForgedSink;
  add(line: CallbackLine): void;
  /** Writes what is there now; a test need not wait a second. */
  flush(): Promise<void>;
  /** Makes the partitions of the days to come and drops those no longer kept. */
  keepTables(): Promise<void>;
  close(): Promise<void>;
}

export interface CallbackRecorderOptions {
  readonly db: Db;
  readonly finder: PackageFinder;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  /** 0 keeps no log; forgeries stand in the audit log all the same. */
  readonly logDays: number;
  readonly everyMs: number;
  /** Other logs, whose partitions are kept in the same go: two at once would lock each other out. */
  readonly beside: readonly PartitionedTable[];
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
  let waiting: FoldedLine[] = [];
  let accused: ForgedLine[] = [];

  const writeLines = async (): Promise<void> => {
    if (waiting.length === 0) waiting = buffer.take();
    while (waiting.length > 0) {
      const part = waiting.slice(0, maxRows);
      await orDrop(part.length, () => writeLog(db, table, part, insertCallbackLines));
      waiting = waiting.slice(maxRows);
    }
  };
  const writeForgeries = async (all: boolean): Promise<void> => {
    if (accused.length === 0) accused = forged.take({ all });
    for (let line = accused[0]; line; line = accused[0]) {
      const each = line;
      await orDrop(1, () => accuse(options, each));
      accused.shift();
    }
  };
  const flush = async (all = false) => {
    await writeForgeries(all);
    await writeLines();
  };
  const keepTables = () => keepPartitions(db, [table, ...options.beside], options.now());
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const loops = [
    repeat(() => flush(), options.everyMs, warn('the callback log waits for the database')),
    repeat(keepTables, hourMs, warn('partitions could not be looked after')),
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
    keepTables,
    close: async () => {
      for (const loop of loops) await loop.stop();
      await flush(true)
        .then(() => flush(true))
        .catch(warn('the last of the callback log is lost'));
    },
  };
}

const createCounters = (registry: Metrics) => ({
  dropped: createCounter(registry, {
    name: 'callback_log_dropped_total',
    help: 'Lines of the callback log that were not written: no room, or refused by the database',
  }),
  forged: createCounter(registry, {
    name: 'callbacks_forged_total',
    help: 'Callbacks that were not what they claimed to be',
  }),
  repeated: createCounter(registry, {
    name: 'callbacks_repeated_total',
    help: 'Callbacks that were answered as before',
  }),
  refused: createCounter(registry, {
    name: 'callbacks_refused_total',
    help: 'Callbacks that were refused or failed, and stand in the log',
  }),
});

/** A UID that is nobody's goes to the platform's own log. */
async function accuse(options: CallbackRecorderOptions, line: ForgedLine): Promise<void> {
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
