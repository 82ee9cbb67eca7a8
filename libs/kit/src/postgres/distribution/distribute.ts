// Spreads a service's tables over the nodes of a Citus cluster; run again, it does what is left.

import { CommandRefused } from '../../process/command-refused.ts';
import type { Db, Queryable } from '../db.ts';
import { findCitusVersion, listForeignKeys, listKnownTables } from './citus.ts';
import {
  type Distribution,
  type DistributionPlan,
  planDistribution,
  type Step,
} from './distribution.ts';

export const citusMissing =
  'This database has no Citus extension: nothing can be distributed, and nothing was changed.\n' +
  'Install Citus on every node, name it in shared_preload_libraries, and run\n' +
  '  create extension citus;\n' +
  'in this database; docs/operate/scale.md tells the whole way. One PostgreSQL server needs none of it.';

/** Undefined where there is no Citus. */
export async function readPlan(
  db: Queryable,
  distribution: Distribution,
): Promise<DistributionPlan | undefined> {
  if ((await findCitusVersion(db)) === undefined) return undefined;
  const known = await listKnownTables(db);
  return planDistribution(distribution, known, await listForeignKeys(db));
}

/** Any fixed number: whoever distributes one database queues on it. */
const lockKey = 7_268_015_333;

/**
 * All in one transaction: whatever stops it, the database stays as it was. The tables are locked
 * against writes while their rows move, so the services are stopped for that long.
 */
export async function distribute(
  db: Db,
  distribution: Distribution,
  onStep: (step: Step, place: { number: number; of: number }) => void,
): Promise<DistributionPlan | undefined> {
  return await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const plan = await readPlan(tx, distribution);
    if (!plan || plan.steps.length === 0) return plan;
    if (plan.conflicts.length > 0) throw new CommandRefused(plan.conflicts.join('\n'));
    // Tables that refer to each other are moved one shard after another, on one connection a node.
    await tx.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    for (const [i, step] of plan.steps.entries()) {
      onStep(step, { number: i + 1, of: plan.steps.length });
      await tx.query(step.text);
    }
    return plan;
  });
}
