// An operator holds locks for 5 s: rows of the ledger first, then whole tables.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const holdMs = 5000;

const locks = [
  'select 1 from ledger_heads for update',
  'lock table journal in share row exclusive mode',
  'lock table accounts in access exclusive mode',
  'lock table packages, players, package_keys in access exclusive mode',
  'lock table ledger_heads, accounts, journal, packages, players in access exclusive mode',
];

export const operatorLock: Fault = {
  name: 'operator-lock',
  group: 'database',
  does: "an operator locks the ledger's rows, then its tables, for 5 s each",
  run: async (environment) => {
    const recoveries: number[] = [];
    const [service] = environment.services;
    const verdict = await underLoad(environment, async (testRun, load) => {
      for (const lock of locks) {
        await seePasses(load, 40);
        await environment.db.transaction(async (tx) => {
          await tx.query(lock);
          await sleep(holdMs);
        });
        recoveries.push(await measureRecovery(testRun, service?.url ?? ''));
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'locks', value: locks.length, atLeast: locks.length },
        ...describeRecovery('after the lock', recoveries),
      ],
    );
  },
};
