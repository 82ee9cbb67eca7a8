// Opens the connections that only the ledger uses, with planner settings for its few statements.

import type { Logger } from '@counterfoil/kit/observability/logging';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/**
 * Plans are cached, so they must be right for any table size. A join that is planned on an empty table would
 * use a sequential scan, and would still use it when the table has grown. Every statement of the ledger finds
 * its rows by index, so all other methods are switched off.
 */
const sessionSettings = [
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_bitmapscan=off',
];

/**
 * Citus finds the shard of a statement by the values of the statement's parameters. A generic plan does not
 * contain these values, so the statement is planned anew for each execution.
 */
const onePackageSettings = sessionSettings.map((setting) =>
  setting.replace('force_generic_plan', 'force_custom_plan'),
);

export interface LedgerDbOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly onePackage?: boolean;
  /** How long a batch waits for a row that another session has locked. */
  readonly lockTimeoutMs?: number;
}

export function openLedgerDb(options: LedgerDbOptions): Db {
  const { lockTimeoutMs = deadlineMs(1500) } = options;
  const settings = options.onePackage ? onePackageSettings : sessionSettings;
  return openDb({
    url: options.url,
    applicationName: 'counterfoil ledger',
    // One batch is in flight at a time. A batch that looks up its ids starts up to five reads at the same
    // time, so the fifth read waits for a connection.
    maxConnections: 4,
    queryTimeoutMs: deadlineMs(2000),
    connectTimeoutMs: deadlineMs(1000),
    sessionSettings: [...settings, `lock_timeout=${lockTimeoutMs}`],
    onIdleError: (error) => options.logger.warn({ err: error }, 'a ledger connection was lost'),
  });
}
