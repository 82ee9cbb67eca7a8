// Serialises the batches of imports into one workspace. Two imports that write the same rows in opposite
// orders would deadlock.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';

/**
 * One statement waits at most this long for the lock; then the next statement waits. A single longer wait
 * would exceed the statement timeout.
 */
const waitMs = deadlineMs(2000);
const maxWaits = 60;

/**
 * Locks the imports of a workspace until the transaction ends. PostgreSQL gives the lock to waiting
 * transactions in the order in which they asked for it.
 */
export async function lockImports(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query(`set local lock_timeout = ${waitMs}`);
  for (let waits = 0; waits < maxWaits; waits++) {
    if (await waitForLock(tx, workspaceId)) {
      await tx.query('set local lock_timeout to default');
      return;
    }
  }
  throw new CommandRefused('another import into this workspace is running; try again later');
}

async function waitForLock(tx: Tx, workspaceId: bigint): Promise<boolean> {
  await tx.query('savepoint import_lock');
  try {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `import into workspace ${workspaceId}`,
    ]);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await tx.query('rollback to savepoint import_lock');
    return false;
  }
}

const isLockTimeout = (error: unknown) =>
  ((error as Error).cause as { code?: unknown } | undefined)?.code === '55P03';
