// Distributes the tables of a service over a Citus cluster. A repeated run does the remaining steps.

import { CommandRefused } from '../../process/plain-error.ts';
import type { Db, Queryable } from '../db.ts';
import { findCitusVersion, listForeignKeys, listKnownTables } from './citus.ts';
import { type Distribution, type DistributionPlan, planDistribution, type Step } from './distribution.ts';

export const citusMissing =
  'This database has no Citus extension: nothing can be distributed, and nothing was changed.\n' +
  'Install Citus on every node, name it in shared_preload_libraries, and run\n' +
  '  create extension citus;\n' +
  'in this database; docs/operate/scale.md describes all steps. One PostgreSQL server does not need Citus.';

/** Reads the plan of the distribution. Returns undefined if Citus is not installed. */
export async function readPlan(
  db: Queryable,
  distribution: Distribution,
): Promise<DistributionPlan | undefined> {
  if ((await findCitusVersion(db)) === undefined) return undefined;
  const known = await listKnownTables(db);
  return planDistribution(distribution, known, await listForeignKeys(db));
}

/**
 * The key of an advisory lock, which lets only one process at a time distribute a database. Any fixed number
 * works as the key.
 */
const lockKey = 7_268_015_333;

/**
 * Distributes the tables in one transaction, so a failure leaves the database unchanged. The tables are
 * locked against writes while their rows move, so the services must be stopped.
 */
export async function distribute(
  db: Db,
  distribution: Distribution,
  onStep: (step: Step, progress: { number: number; of: number }) => void,
): Promise<DistributionPlan | undefined> {
  return await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const plan = await readPlan(tx, distribution);
    if (!plan || plan.steps.length === 0) return plan;
    if (plan.conflicts.length > 0) throw new CommandRefused(plan.conflicts.join('\n'));
    // If tables have foreign keys between them, Citus distributes them only in this mode, one shard after
    // another.
    await tx.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    for (const [i, step] of plan.steps.entries()) {
      onStep(step, { number: i + 1, of: plan.steps.length });
      await tx.query(step.text);
    }
    return plan;
  });
}
