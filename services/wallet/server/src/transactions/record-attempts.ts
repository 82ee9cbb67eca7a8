// Writes down repeats and refusals of moved balances: about once a second, never in an answer's way.

import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { PartitionedTable } from '@counterfoil/kit/postgres/partitions';
import { createOrDrop, dailyLog, writeLog } from '../logs/write-log.ts';
import { insertAttempts } from './store.ts';
import { type FoldedAttempt, foldAttempts, type TransferAttempt } from './transfer-attempt.ts';

/** Taken down per second and process: a storm of copies costs no more than this to write. */
const maxWaiting = 2000;

export interface AttemptRecorder {
  /** Whoever keeps the service's partitions keeps those of this table too. */
  readonly table: PartitionedTable;
  /** A push, or nothing where there is no room: this stands on the way of the quickest answers. */
  note(attempt: TransferAttempt): void;
  /** Writes what is there now; a test need not wait a second. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createAttemptRecorder(options: {
  db: Db;
  logger: Logger;
  registry: Metrics;
  /** 0 keeps no log. */
  logDays: number;
  everyMs: number;
}): AttemptRecorder {
  const { db, logger, logDays } = options;
  const table = dailyLog('transfer_log', logDays);
  const dropped = createCounter(options.registry, {
    name: 'transfer_log_dropped_total',
    help: 'Repeats and refusals of update_balance that were not written down: no room, or refused',
  });
  const orDrop = createOrDrop({
    dropped,
    logger,
    message: 'the log of update_balance could not be written',
  });
  const room = logDays > 0 ? maxWaiting : 0;
  let waiting: TransferAttempt[] = [];
  let folded: FoldedAttempt[] = [];

  const flush = async (): Promise<void> => {
    if (folded.length === 0) {
      folded = foldAttempts(waiting);
      waiting = [];
    }
    if (folded.length === 0) return;
    await orDrop(folded.length, () => writeLog(db, table, folded, insertAttempts));
    folded = [];
  };
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const loop = repeat(
    flush,
    options.everyMs,
    warn('the log of update_balance waits for the database'),
  );
  return {
    table,
    note: (attempt) => {
      if (waiting.length < room) waiting.push(attempt);
      else if (logDays > 0) dropped.add();
    },
    flush: () => loop.now(),
    close: async () => {
      await loop.stop();
      await flush().then(flush).catch(warn('the last of the log of update_balance is lost'));
    },
  };
}
