// Buffers the log of provider calls and writes it once per second.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { PartitionedTable } from '@counterfoil/kit/postgres/partitions';
import { createOrDrop, dailyLog, writeLog } from '../../logs/write-log.ts';
import { type CallBatch, createCallBatch, insertCalls } from '../store.ts';
import { type AnsweredCall, makeCallLine } from './call-line.ts';

/** The maximum number of buffered calls per process. */
const maxCalls = 10_000;
/** The maximum number of calls per statement. */
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
  // Each line is encoded as soon as its call is answered. Otherwise the buffer would hold every call of a
  // second with its request and result, and the garbage collector would copy them. And answers would wait
  // while all calls of a second are encoded together.
  const batches: CallBatch[] = [];
  let count = 0;
  const add = (answered: AnsweredCall) => {
    const last = batches.at(-1);
    const batch = last && last.size < maxRows ? last : createCallBatch();
    if (batch !== last) batches.push(batch);
    batch.push(makeCallLine(answered, now()));
    count++;
  };
  /** The batch that is being written. While the database does not respond, the batch waits here. */
  let writing: CallBatch | undefined;
  const flush = async () => {
    for (writing ??= batches.shift(); writing; writing = batches.shift()) {
      const batch = writing;
      await orDrop(batch.size, () => writeLog(db, table, batch.days, (tx) => insertCalls(tx, batch)));
      count -= batch.size;
    }
  };
  const warn = (error: unknown) => logger.warn({ err: error }, message);
  const loop = repeat(flush, options.everyMs, warn);
  return {
    table,
    add: (answered) => {
      if (logDays === 0) return;
      if (count >= maxCalls) dropped.add();
      else add(answered);
    },
    flush: () => loop.now(),
    close: async () => {
      await loop.stop();
      await flush().catch(warn);
    },
  };
}
