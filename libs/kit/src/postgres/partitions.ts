// Tables that are partitioned by time: creates partitions in advance and drops old partitions.
import { deadlineMs } from '../process/deadline-factor.ts';
import type { Db, Tx } from './db.ts';

export interface PartitionedTable {
  readonly name: string;
  readonly unit: 'day' | 'month';
  /** The number of past days or months (`unit`) whose partitions are retained. */
  readonly keep: number;
  /**
   * The number of future days or months whose partitions are created. If maintenance fails, writers still
   * find a partition during this time.
   */
  readonly ahead: number;
}

/**
 * The key of an advisory lock, which lets only one process at a time create or drop partitions of a database.
 * Any fixed number works as the key.
 */
const lockKey = 7_268_015_332;
/**
 * To create or drop a partition, a statement locks the whole table. While the statement waits for the lock,
 * all later queries on the table wait too. So the statement gives up after two seconds.
 */
const lockTimeout = `set local lock_timeout = ${deadlineMs(2000)}`;

/**
 * Returns the start (UTC) of the day or month that contains `time`, or of the unit that is `steps` units
 * later.
 */
function startOfUnit(time: Date, unit: PartitionedTable['unit'], steps = 0): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return new Date(unit === 'day' ? Date.UTC(year, month, day + steps) : Date.UTC(year, month + steps));
}

/** Returns a name such as `request_log_20260504` or `validation_hours_202605`. */
function nameOf(table: PartitionedTable, start: Date): string {
  const digits = start.toISOString().slice(0, table.unit === 'day' ? 10 : 7);
  return `${table.name}_${digits.replaceAll('-', '')}`;
}

async function createPartitions(tx: Tx, table: PartitionedTable, starts: Date[]): Promise<void> {
  for (const start of starts) {
    const end = startOfUnit(start, table.unit, 1);
    await tx.query(
      `create table if not exists ${nameOf(table, start)} partition of ${table.name}
       for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
    );
  }
}

async function listPartitions(tx: Tx, table: PartitionedTable): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass`,
    [table.name],
  );
  return rows.map((row) => row.name);
}

/** Creates the partitions of these times, for a writer whose row has no partition yet. */
export async function ensurePartitions(
  db: Db,
  table: PartitionedTable,
  times: readonly Date[],
): Promise<void> {
  const starts = new Map(times.map((time) => [nameOf(table, time), startOfUnit(time, table.unit)] as const));
  await db.transaction(async (tx) => {
    await tx.query(lockTimeout);
    await tx.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await createPartitions(tx, table, [...starts.values()]);
  });
}

/**
 * Creates the current and the future partitions, and drops old partitions. Any number of processes may call
 * this function at any time. One process does the work; the others return at once.
 */
export async function keepPartitions(db: Db, tables: readonly PartitionedTable[], now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(lockTimeout);
    const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      lockKey,
    ]);
    if (!rows[0]?.mine) return;
    for (const table of tables) {
      const existing = await listPartitions(tx, table);
      const wanted = Array.from({ length: table.ahead + 1 }, (_, step) => startOfUnit(now, table.unit, step));
      const missing = wanted.filter((start) => !existing.includes(nameOf(table, start)));
      await createPartitions(tx, table, missing);
      const oldest = nameOf(table, startOfUnit(now, table.unit, -table.keep));
      // The names of a table's partitions sort by time, so older partitions have smaller names.
      for (const name of existing.filter((each) => each < oldest)) {
        await tx.query(`drop table ${name}`);
      }
    }
  });
}

/**
 * Runs a write. If its rows have no partition yet, repeats the write after `create` has created the
 * partitions.
 */
export async function writePartitioned<T>(write: () => Promise<T>, create: () => Promise<void>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await create();
    return await write();
  }
}

export const isMissingPartition = (error: unknown): boolean => {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  return code === '23514' && message.startsWith('no partition of relation');
};
