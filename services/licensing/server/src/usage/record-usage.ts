// Records usage in the background, about once a second and when the service stops.

import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import { keepPartitions } from '@counterfoil/kit/postgres/partitions';
import { flushUsage, type UsageTables } from './flush-usage.ts';
import { createUsageBuffer, type WorkspaceUsage } from './usage-buffer.ts';

const hourMs = 3_600_000;
/** The maximum number of lines and counts that one process buffers, about 30 MB. */
const maxEntries = 50_000;

export type UsageRecorder = ReturnType<typeof createUsageRecorder>;

export interface UsageRecorderOptions {
  readonly db: Db;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  /** The number of days for which requests are logged. 0 turns the request log off. */
  readonly requestLogDays: number;
  readonly flushEveryMs?: number;
  readonly maxEntries?: number;
}

const makeUsageTables = (requestLogDays: number): UsageTables => ({
  requestLog: { name: 'request_log', unit: 'day', keep: requestLogDays, ahead: 7 },
  validationHours: { name: 'validation_hours', unit: 'month', keep: 13, ahead: 1 },
  // Only the page of likely abuse reads this table. The page covers 24 hours, which are in two days.
  refusedCodes: { name: 'refused_codes', unit: 'day', keep: Math.min(requestLogDays, 1), ahead: 7 },
});

export function createUsageRecorder(options: UsageRecorderOptions) {
  const { db, logger, registry } = options;
  const tables = makeUsageTables(options.requestLogDays);
  const dropped = createCounter(registry, {
    name: 'usage_dropped_total',
    help: 'Lines and counts that were dropped: the buffer was full, or the database refused them',
  });
  const buffer = createUsageBuffer({
    maxEntries: options.maxEntries ?? maxEntries,
    keepRequests: options.requestLogDays > 0,
    onDropped: () => dropped.add(),
  });
  /** Usage that could not be written while the database was unavailable. */
  let waiting: WorkspaceUsage[] = [];

  const flushAll = async (): Promise<void> => {
    if (waiting.length === 0) waiting = buffer.take();
    for (let usage = waiting[0]; usage; usage = waiting[0]) {
      try {
        await flushUsage(db, tables, usage);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        // The database refused this usage, so it is dropped. A retry would fail again and block all later
        // usage.
        dropped.add(usage.requests.length + usage.uses.size + usage.hours.size + usage.refusedCodes.size);
        logger.error({ err: error }, 'usage could not be written');
      }
      waiting.shift();
    }
  };

  /** Creates the partitions of the next days and drops expired partitions. */
  const keepTables = () => keepPartitions(db, Object.values(tables), options.now());
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const loops = [
    repeat(flushAll, options.flushEveryMs ?? 1000, warn('usage waits for the database')),
    repeat(keepTables, hourMs, warn('partitions could not be created or dropped')),
  ] as const;
  void loops[1].now();
  return {
    sink: buffer.sink,
    /** Writes the buffered usage now, for tests. */
    flush: () => loops[0].now(),
    keepTables,
    close: async () => {
      for (const loop of loops) await loop.stop();
      await flushAll().then(flushAll).catch(warn('the last usage is lost'));
    },
  };
}
