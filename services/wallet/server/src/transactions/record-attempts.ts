// Buffers attempts of update_balance and writes them to the log once per second.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { PartitionedTable } from '@counterfoil/kit/postgres/partitions';
import { createOrDrop, dailyLog, writeLog } from '../logs/write-log.ts';
import { type MergedAttempt, mergeAttempts, type TransferAttempt } from './attempt.ts';
import { insertAttempts } from './store.ts';

/**
 * The maximum number of attempts that a process records per second, so that a flood of repeated requests
 * costs little.
 */
const maxBuffered = 2000;

export interface AttemptRecorder {
  /** The table of this log. The callback recorder creates and drops its partitions. */
  readonly table: PartitionedTable;
  /**
   * Appends an attempt to the buffer, or drops it if the buffer is full. The hot path calls this, so it must
   * be fast.
   */
  record(attempt: TransferAttempt): void;
  /** Writes the buffer now, so that a test need not wait for the next regular write. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createAttemptRecorder(options: {
  db: Db;
  logger: Logger;
  registry: Metrics;
  /** The days for which attempts are stored; 0 turns the log off. */
  logDays: number;
  everyMs: number;
}): AttemptRecorder {
  const { db, logger, logDays } = options;
  const table = dailyLog('transfer_log', logDays);
  const dropped = createCounter(options.registry, {
    name: 'transfer_log_dropped_total',
    help: 'Attempts of update_balance that were not logged: buffer full, or refused by the database',
  });
  const orDrop = createOrDrop({
    dropped,
    logger,
    message: 'the log of update_balance could not be written',
  });
  const capacity = logDays > 0 ? maxBuffered : 0;
  let buffer: TransferAttempt[] = [];
  let merged: MergedAttempt[] = [];

  const flush = async (): Promise<void> => {
    if (merged.length === 0) {
      merged = mergeAttempts(buffer);
      buffer = [];
    }
    if (merged.length === 0) return;
    await orDrop(merged.length, () => writeLog(db, table, merged, insertAttempts));
    merged = [];
  };
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const loop = repeat(flush, options.everyMs, warn('the log of update_balance is waiting for the database'));
  return {
    table,
    record: (attempt) => {
      if (buffer.length < capacity) buffer.push(attempt);
      else if (logDays > 0) dropped.add();
    },
    flush: () => loop.now(),
    close: async () => {
      await loop.stop();
      await flush().then(flush).catch(warn('the last attempts of update_balance could not be logged'));
    },
  };
}
