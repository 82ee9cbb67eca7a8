// One batch at a time comes into a workspace: two that meet in opposite orders would stop each other.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/** Below the deadline of one statement, so that waiting is not taken for a server that hangs. */
const waitMs = deadlineMs(2000);
const maxWaits = 60;

/** Held until the transaction ends. Waiting in the server's queue, and not by asking, is fair. */
export async function lockImports(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query(`set local lock_timeout = ${waitMs}`);
  for (let turn = 0; turn < maxWaits; turn++) {
    if (await waitForLock(tx, workspaceId)) {
      await tx.query('set local lock_timeout to default');
      return;
    }
  }
  throw new CommandRefused('another import into this workspace is at work; try again later');
}

async function waitForLock(tx: Tx, workspaceId: bigint): Promise<boolean> {
  await tx.query('savepoint import_turn');
  try {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `import into workspace ${workspaceId}`,
    ]);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await tx.query('rollback to savepoint import_turn');
    return false;
  }
}

const isLockTimeout = (error: unknown) =>
  ((error as Error).cause as { code?: unknown } | undefined)?.code === '55P03';
