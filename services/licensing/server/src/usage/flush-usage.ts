// Writes the usage of one workspace: request log, last uses of keys, hourly counts, refused codes.
import type { Db } from '@counterfoil/kit/postgres/db';
import {
  ensurePartitions,
  isMissingPartition,
  type PartitionedTable,
} from '@counterfoil/kit/postgres/partitions';
import { insertRequests } from '../request-log/request-log.ts';
import { addRefusedCodes, addValidationHours, recordKeyUses } from './store.ts';
import type { WorkspaceUsage } from './usage-buffer.ts';

export type UsageTables = Readonly<
  Record<'requestLog' | 'validationHours' | 'refusedCodes', PartitionedTable>
>;

/** Writes everything in one transaction, so that a failed flush can be repeated. */
export async function flushUsage(db: Db, tables: UsageTables, usage: WorkspaceUsage): Promise<void> {
  try {
    await write(db, usage);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const times = usage.requests.map(({ at }) => at);
    await ensurePartitions(db, tables.requestLog, times);
    const hours = [...usage.hours.values()].map(({ hour }) => hour);
    await ensurePartitions(db, tables.validationHours, hours);
    const refused = [...usage.refusedCodes.values()].map(({ hour }) => hour);
    await ensurePartitions(db, tables.refusedCodes, refused);
    await write(db, usage);
  }
}

async function write(db: Db, usage: WorkspaceUsage): Promise<void> {
  const { workspaceId, requests } = usage;
  // Rows are always locked in the same order, so that two processes do not deadlock.
  const uses = [...usage.uses.values()].sort((a, b) => compare(a.apiKeyId, b.apiKeyId));
  const hours = [...usage.hours.values()].sort(
    (a, b) => a.hour.getTime() - b.hour.getTime() || compare(a.itemId, b.itemId),
  );
  const refused = [...usage.refusedCodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  await db.transaction(async (tx) => {
    // The commit does not wait for the disk, because usage in memory is lost in a crash anyway (decision
    // 0013).
    await tx.query('set local synchronous_commit = off');
    if (requests.length > 0) await insertRequests(tx, workspaceId, requests);
    if (uses.length > 0) await recordKeyUses(tx, workspaceId, uses);
    if (hours.length > 0) await addValidationHours(tx, workspaceId, hours);
    for (let start = 0; start < refused.length; start += maxRefused) {
      await addRefusedCodes(tx, workspaceId, refused.slice(start, start + maxRefused));
    }
  });
}

/** The maximum number of refused codes in a statement, as for the lines of the request log. */
const maxRefused = 2000;

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
