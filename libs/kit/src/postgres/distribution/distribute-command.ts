// `distribute`: distributes the database of a service over a Citus cluster, or prints the plan.
import type { Command } from 'commander';
import { type Db, openDb } from '../db.ts';
import { findCitusVersion } from './citus.ts';
import { citusMissing, distribute, readPlan } from './distribute.ts';
import type { Distribution } from './distribution.ts';
import { findSpreadByCitus, findUnbound, type HotStatement } from './one-shard.ts';

interface Tools {
  readonly run: <T>(work: (tools: { config: { databaseUrl: string } }) => Promise<T>) => Promise<T>;
  readonly print: (line: string) => void;
  readonly distribution: Distribution;
  /** The statements of the hot path, with the values that the service sends for this tenant. */
  readonly collectHotStatements: (tenant: number) => Promise<readonly HotStatement[]>;
}

const statuses = { spans: 1, citusMissing: 3 } as const;

/**
 * The timeout of a statement. A statement moves all rows of its table, which takes hours for a large ledger.
 */
const longMs = 24 * 3_600_000;

export function addDistributeCommand(program: Command, tools: Tools): void {
  program
    .command('distribute')
    .description("Distribute the tables over a Citus cluster, each tenant's rows on one node.")
    .option('--dry-run', 'print the statements and change nothing')
    .option('--explain', 'check that every statement of the hot path uses one shard only')
    .addHelpText(
      'after',
      '\nStatus: 0 done, or nothing left to do; 1 a statement spans shards; 2 tables' +
        '\nare distributed differently; 3 the database has no Citus extension.',
    )
    .action(async (given: { dryRun?: boolean; explain?: boolean }) => {
      await tools.run(async ({ config }) => {
        const db = openDb({
          url: config.databaseUrl,
          applicationName: 'counterfoil distribute',
          maxConnections: 1,
          queryTimeoutMs: longMs,
        });
        try {
          if (given.explain) await explain(tools, db);
          else if (given.dryRun) await showPlan(tools, db);
          else await run(tools, db);
        } finally {
          await db.end();
        }
      });
    });
}

function refuseWithoutCitus(): void {
  process.stderr.write(`${citusMissing}\n`);
  process.exitCode = statuses.citusMissing;
}

async function showPlan({ distribution, print }: Tools, db: Db): Promise<void> {
  const plan = await readPlan(db, distribution);
  if (!plan) return refuseWithoutCitus();
  for (const conflict of plan.conflicts) print(`-- ${conflict}`);
  for (const step of plan.steps) print(`${step.text};`);
  print(`-- ${plan.done.length} tables are distributed already, ${plan.steps.length} statements to run`);
  if (plan.conflicts.length > 0) process.exitCode = 2;
}

async function run({ distribution, print }: Tools, db: Db): Promise<void> {
  const plan = await distribute(db, distribution, (step, { number, of }) =>
    print(`[${number}/${of}] ${step.text}`),
  );
  if (!plan) return refuseWithoutCitus();
  print(plan.steps.length > 0 ? 'All tables are distributed.' : 'All tables were already distributed.');
}

/**
 * Checks that each statement of the hot path uses one shard only. The check reads the plans of Citus, or the
 * plans of PostgreSQL if Citus is not installed.
 */
async function explain(tools: Tools, db: Db): Promise<void> {
  const { tenantColumn, distributed } = tools.distribution;
  const version = await findCitusVersion(db);
  const tenant = 1;
  let breaches = 0;
  for (const statement of await tools.collectHotStatements(tenant)) {
    const found =
      version === undefined
        ? await findUnbound(db, statement, { tenantColumn, distributed, tenant })
        : await findSpreadByCitus(db, statement);
    breaches += found.length;
    tools.print(`${found.length === 0 ? 'one' : 'SPANS'}  ${statement.name}`);
    for (const breach of found) tools.print(`       ${breach}`);
  }
  const how = version === undefined ? "PostgreSQL's plans (Citus is not installed)" : `Citus ${version}`;
  const verdict = breaches === 0 ? 'Every statement uses one tenant' : 'Some statements span tenants';
  tools.print(`${verdict}: ${how}.`);
  if (breaches > 0) process.exitCode = statuses.spans;
}
