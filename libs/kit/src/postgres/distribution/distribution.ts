// Which tables of a service are spread over nodes by tenant, copied to every node, or kept on one.

export interface Distribution {
  /** The column by which tenants' tables are spread; it leads each of their keys. */
  readonly tenantColumn: string;
  /** Spread by tenant, all beside each other: a tenant's rows are on one node. The first is the anchor. */
  readonly distributed: readonly string[];
  /** Copied to every node: small, seldom written, and joined with or referred to by the others. */
  readonly reference: readonly string[];
  /** Kept on the coordinator, because no statement joins them with a tenant's rows. */
  readonly local: readonly string[];
}

/** What Citus says of a table that it knows. */
export interface KnownTable {
  readonly table: string;
  readonly kind: 'distributed' | 'reference';
  /** Null for reference tables. */
  readonly column: string | null;
  readonly colocation: number;
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly referenced: string;
  /** As PostgreSQL writes it out again. */
  readonly definition: string;
}

export interface Step {
  readonly table: string;
  readonly text: string;
}

export interface DistributionPlan {
  readonly steps: readonly Step[];
  readonly done: readonly string[];
  /** Tables that stand differently from what is asked: nothing is run while there is one. */
  readonly conflicts: readonly string[];
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Foreign keys of the tables that are moved are dropped first and made again at the end: for a while
 * one side of each is spread and the other is not, which Citus refuses.
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
  const again = ({ table, name, definition }: ForeignKey) =>
    `alter table ${table} add constraint ${name} ${definition}`;
  return {
    steps: [
      ...keys.map((key) => ({ table: key.table, text: drop(key) })),
      ...steps,
      ...keys.map((key) => ({ table: key.table, text: again(key) })),
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
    if (byName.has(table))
      conflicts.push(`${table} is ${byName.get(table)?.kind} and should be local`);
  }
  return { steps, done, conflicts };
}

function distributeText({ tenantColumn, distributed }: Distribution, table: string): string {
  const [anchor = ''] = distributed;
  const beside = table === anchor ? literal('none') : literal(anchor);
  const words = [literal(table), literal(tenantColumn), `colocate_with => ${beside}`];
  return `select create_distributed_table(${words.join(', ')})`;
}

function findProblem(
  { tenantColumn }: Distribution,
  found: KnownTable,
  anchor: KnownTable | undefined,
): string | undefined {
  if (found.kind !== 'distributed')
    return `${found.table} is a reference table and should be distributed`;
  if (found.column !== tenantColumn) {
    return `${found.table} is distributed by ${found.column} and should be by ${tenantColumn}`;
  }
  if (anchor && anchor.colocation !== found.colocation) {
    return `${found.table} does not stand beside ${anchor.table}`;
  }
  return undefined;
}
