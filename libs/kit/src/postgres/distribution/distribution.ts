// Plans which tables are distributed by tenant, which are copied to every node, and which stay on the
// coordinator.

export interface Distribution {
  /** The distribution column. It is the first column of every key of the distributed tables. */
  readonly tenantColumn: string;
  /**
   * Tables that are distributed by tenant, so that all rows of a tenant are on one node. The first table is
   * the anchor, by which Citus places the others.
   */
  readonly distributed: readonly string[];
  /**
   * Tables that are copied to every node. They are small, rarely written, and joined or referenced by
   * distributed tables.
   */
  readonly reference: readonly string[];
  /** Tables that are only on the coordinator, because no statement joins them with rows of a tenant. */
  readonly local: readonly string[];
}

/** A table that Citus manages. */
export interface KnownTable {
  readonly table: string;
  readonly kind: 'distributed' | 'reference';
  /** The distribution column. It is null for reference tables. */
  readonly column: string | null;
  readonly colocation: number;
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly referenced: string;
  /** The definition of the constraint, from `pg_get_constraintdef`. */
  readonly definition: string;
}

export interface Step {
  readonly table: string;
  readonly text: string;
}

export interface DistributionPlan {
  readonly steps: readonly Step[];
  readonly done: readonly string[];
  /**
   * A sentence for each table that is already distributed differently than planned. If there are conflicts,
   * no step is run.
   */
  readonly conflicts: readonly string[];
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Plans the steps. Citus refuses a foreign key between a distributed table and a table that is not
 * distributed yet. So the foreign keys of the moved tables are dropped first and added again at the end.
 */
export function planDistribution(
  distribution: Distribution,
  known: readonly KnownTable[],
  foreignKeys: readonly ForeignKey[],
): DistributionPlan {
  const { steps, done, conflicts } = planTables(distribution, known);
  const moved = new Set(steps.map((step) => step.table));
  const stays = new Set(distribution.local);
  const keys = foreignKeys.filter(
    ({ table, referenced }) => !stays.has(table) && (moved.has(table) || moved.has(referenced)),
  );
  const drop = ({ table, name }: ForeignKey) => `alter table ${table} drop constraint ${name}`;
  const add = ({ table, name, definition }: ForeignKey) =>
    `alter table ${table} add constraint ${name} ${definition}`;
  return {
    steps: [
      ...keys.map((key) => ({ table: key.table, text: drop(key) })),
      ...steps,
      ...keys.map((key) => ({ table: key.table, text: add(key) })),
    ],
    done,
    conflicts,
  };
}

function planTables(distribution: Distribution, known: readonly KnownTable[]) {
  const byName = new Map(known.map((each) => [each.table, each]));
  const [anchor = ''] = distribution.distributed;
  const steps: Step[] = [];
  const done: string[] = [];
  const conflicts: string[] = [];
  for (const table of distribution.reference) {
    const found = byName.get(table);
    if (!found) steps.push({ table, text: `select create_reference_table(${literal(table)})` });
    else if (found.kind === 'reference') done.push(table);
    else conflicts.push(`${table} is distributed and should be a reference table`);
  }
  for (const table of distribution.distributed) {
    const found = byName.get(table);
    if (!found) steps.push({ table, text: distributeText(distribution, table) });
    else {
      const problem = findProblem(distribution, found, byName.get(anchor));
      if (problem === undefined) done.push(table);
      else conflicts.push(problem);
    }
  }
  for (const table of distribution.local) {
    if (byName.has(table)) conflicts.push(`${table} is ${byName.get(table)?.kind} and should be local`);
  }
  return { steps, done, conflicts };
}

function distributeText({ tenantColumn, distributed }: Distribution, table: string): string {
  const [anchor = ''] = distributed;
  const colocation = table === anchor ? literal('none') : literal(anchor);
  const values = [literal(table), literal(tenantColumn), `colocate_with => ${colocation}`];
  return `select create_distributed_table(${values.join(', ')})`;
}

function findProblem(
  { tenantColumn }: Distribution,
  found: KnownTable,
  anchor: KnownTable | undefined,
): string | undefined {
  if (found.kind !== 'distributed') return `${found.table} is a reference table and should be distributed`;
  if (found.column !== tenantColumn) {
    return `${found.table} is distributed by ${found.column} and should be by ${tenantColumn}`;
  }
  if (anchor && anchor.colocation !== found.colocation) {
    return `${found.table} is not colocated with ${anchor.table}`;
  }
  return undefined;
}
