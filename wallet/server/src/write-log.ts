// Writes lines into a log of one partition per day, without waiting for the disk.
import type { Db, Tx } from '@counterfoil/kit/db';
import {
  ensurePartitions,
  isMissingPartition,
  type PartitionedTable,
} from '@counterfoil/kit/partitions';

/** Days are made ahead; a line of a day that nobody made yet makes it. */
export async function writeLog<Line extends { readonly at: Date }>(
  db: Db,
  table: PartitionedTable,
  lines: readonly Line[],
  insert: (tx: Tx, lines: readonly Line[]) => Promise<void>,
): Promise<void> {
  const write = () =>
    db.transaction(async (tx) => {
      // A crash may lose the last second anyway: nobody waits for the disk here (decision 0053).
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
