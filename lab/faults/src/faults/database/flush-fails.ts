// One WAL flush fails with EIO: PostgreSQL panics and recovers, and no acknowledged order is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from '../../environment/machine.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { inject } from '../../environment/strace.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

/** The process ids of the database sessions that commit for the wallet. */
async function listLedgerSessions(environment: TestEnvironment): Promise<number[]> {
  const { rows } = await environment.db.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'counterfoil ledger'",
  );
  return rows.map((row) => row.pid);
}

/** A value that changes with every crash recovery of the server. */
async function readStart(environment: TestEnvironment): Promise<string> {
  for (;;) {
    try {
      const { rows } = await environment.db.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'checkpointer'",
      );
      if (rows[0]) return String(rows[0].pid);
    } catch {
      // The query fails while the server recovers.
    }
    await sleep(20);
  }
}

export const flushFails: Fault = {
  name: 'flush-fails',
  group: 'database',
  does: 'one fdatasync of a committing session fails with EIO: PostgreSQL panics and recovers',
  missing: needs({ programs: ['strace'], linux: true, root: true }),
  run: async (environment) => {
    const times = environment.size(20, 2);
    const recoveries: number[] = [];
    let panics = 0;
    const [service] = environment.services;
    const verdict = await underLoad(environment, async (testRun, load) => {
      for (let i = 0; i < times; i++) {
        const before = await readStart(environment);
        const nth = environment.random.between(1, 20);
        const injection = await inject(
          await listLedgerSessions(environment),
          `fdatasync:error=EIO:when=${nth}`,
        );
        // If the flush fails, PostgreSQL panics, which ends all sessions and strace. The loop waits until
        // PostgreSQL has recovered from the panic.
        for (let waits = 0; (await readStart(environment)) === before && waits < 200; waits++) {
          await seePasses(load, 1);
        }
        if ((await readStart(environment)) !== before) panics++;
        recoveries.push(await measureRecovery(testRun, service?.url ?? ''));
        await injection.stop();
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'panics', value: panics, atLeast: times },
        ...describeRecovery('after the database is back', recoveries),
      ],
    );
  },
};
