// Writes lines into a log with one partition per day, without waiting for the disk.
import type { Logger } from '@counterfoil/kit/observability/logging';
import { DatabaseUnavailableError, type Db, type Tx } from '@counterfoil/kit/postgres/db';
import {
  ensurePartitions,
  isMissingPartition,
  type PartitionedTable,
} from '@counterfoil/kit/postgres/partitions';

/** A log with one partition per day. Its partitions are created a week ahead. */
export const dailyLog = (name: string, days: number): PartitionedTable => ({
  name,
  unit: 'day',
  keep: days,
  ahead: 7,
});

/** Writes lines to a log. If the partition of a day is missing, it is created and the write is repeated. */
export async function writeLog<Line extends { readonly at: Date }>(
  db: Db,
  table: PartitionedTable,
  lines: readonly Line[],
  insert: (tx: Tx, lines: readonly Line[]) => Promise<void>,
): Promise<void> {
  const write = () =>
    db.transaction(async (tx) => {
      // A crash is allowed to lose the last second (decision 0013), so the commit does not wait for the disk.
      await tx.query('set local synchronous_commit = off');
      await insert(tx, lines);
    });
  try {
    await write();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(
      db,
      table,
      lines.map((line) => line.at),
    );
    await write();
  }
}

type OrDrop = (count: number, write: () => Promise<void>) => Promise<void>;

/**
 * Drops the lines that the database refuses. The database would refuse these lines at every attempt, and all
 * later lines would have to wait.
 */
export const createOrDrop =
  (options: { dropped: { add(count: number): void }; logger: Logger; message: string }): OrDrop =>
  async (count, write) => {
    try {
      await write();
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      options.dropped.add(count);
      options.logger.error({ err: error }, options.message);
    }
  };
