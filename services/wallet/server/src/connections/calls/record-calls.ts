// Buffers the log of provider calls and writes it once per second.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { PartitionedTable } from '@counterfoil/kit/postgres/partitions';
import { createOrDrop, dailyLog, writeLog } from '../../logs/write-log.ts';
import { insertCallLines } from '../store.ts';
import { type AnsweredCall, makeCallLine } from './call-line.ts';

/** The maximum number of buffered calls per process. A full buffer takes about 40 MB. */
const maxCalls = 10_000;
const maxRows = 1000;

export interface ProviderCallRecorder {
  add(answered: AnsweredCall): void;
  /** The table of the log. The callback recorder creates and drops the partitions of this table. */
  readonly table: PartitionedTable;
  /** Writes the buffer now, so that a test need not wait for the next regular write. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createProviderCallRecorder(options: {
  db: Db;
  logger: Logger;
  registry: Metrics;
  now: () => Date;
  /** The number of days for which the log is stored; 0 turns the log off. */
  logDays: number;
  everyMs: number;
}): ProviderCallRecorder {
  const { db, logger, logDays, now } = options;
  const table = dailyLog('provider_calls', logDays);
  const dropped = createCounter(options.registry, {
    name: 'provider_call_log_dropped_total',
    help: 'Provider calls that are not in the log: the buffer was full, or the database refused them',
  });
  const message = 'the log of provider calls could not be written';
  const orDrop = createOrDrop({ dropped, logger, message });
  let calls: { answered: AnsweredCall; at: Date }[] = [];
  const flush = async () => {
    while (calls.length > 0) {
      const part = calls.slice(0, maxRows);
      const lines = part.map(({ answered, at }) => makeCallLine(answered, at));
      await orDrop(part.length, () => writeLog(db, table, lines, insertCallLines));
      calls = calls.slice(part.length);
    }
  };
  const warn = (error: unknown) => logger.warn({ err: error }, message);
  const loop = repeat(flush, options.everyMs, warn);
  return {
    table,
    add: (answered) => {
      if (logDays === 0) return;
      if (calls.length >= maxCalls) dropped.add();
      else calls.push({ answered, at: now() });
    },
    flush: () => loop.now(),
    close: async () => {
      await loop.stop();
      await flush().catch(warn);
    },
  };
}
