// The ledger's own connections, set up for its few statements.
import { type Db, openDb } from '@counterfoil/kit/db';
import { deadlineMs } from '@counterfoil/kit/deadline-factor';
import type { Logger } from '@counterfoil/kit/logging';

/**
 * Plans are made once and must hold for any size of table: planned on an empty one, a join over the
 * keys of a batch would become a sequential scan and stay one. Every statement here finds its rows
 * by index, so the other ways are switched off.
 */
const sessionSettings = [
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_bitmapscan=off',
  `lock_timeout=${deadlineMs(1500)}`,
];

/** Citus finds the one shard of a statement by its values, which a plan for any values leaves out. */
const onePackageSettings = sessionSettings.map((setting) =>
  setting.replace('force_generic_plan', 'force_custom_plan'),
);

export function openLedgerDb(options: { url: string; logger: Logger; onePackage?: boolean }): Db {
  return openDb({
    url: options.url,
    applicationName: 'counterfoil ledger',
    // One batch is in flight; a batch of games loads its parts side by side.
    maxConnections: 4,
    queryTimeoutMs: deadlineMs(2000),
    connectTimeoutMs: deadlineMs(1000),
    sessionSettings: options.onePackage ? onePackageSettings : sessionSettings,
    onIdleError: (error) => options.logger.warn({ err: error }, 'a ledger connection was lost'),
  });
}
