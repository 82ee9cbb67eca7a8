// Shows that a statement touches the rows of one tenant only: by Citus's plan, or by PostgreSQL's own.
import type { Queryable } from '../db.ts';

/** A statement of the hot path with values as the service sends them. */
export interface HotStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What Citus would do: one task, or no task at all where only its coordinator is asked. */
export async function findSpreadByCitus(db: Queryable, statement: HotStatement): Promise<string[]> {
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(
    `explain (costs off) ${statement.text}`,
    statement.values,
  );
  const lines = rows.map((row) => row['QUERY PLAN']);
  const tasks = lines.flatMap((line) => /Task Count: (\d+)/.exec(line)?.[1] ?? []).map(Number);
  const parts = lines.filter((line) => /Distributed Subplan|pull to coordinator/i.test(line));
  const spread = tasks.filter((count) => count !== 1).map((count) => `Task Count: ${count}`);
  return [...spread, ...parts.map((line) => line.trim())];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [condition: string]: unknown;
}

export interface TenantRules {
  readonly tenantColumn: string;
  readonly distributed: readonly string[];
  readonly tenant: number | bigint;
}

/**
 * Without Citus: in PostgreSQL's plan every scan of a tenant's table must be bound to this tenant by
 * a value, not by a join; and every row that is inserted into one must be this tenant's.
 */
export async function findUnbound(
  db: Queryable,
  statement: HotStatement,
  rules: TenantRules,
): Promise<string[]> {
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (costs off, format json) ${statement.text}`,
    statement.values,
  );
  const bound = new RegExp(`\\b${rules.tenantColumn} = '?${rules.tenant}'?(?:::\\w+)?\\)`);
  const breaches: string[] = [];
  const walk = (node: PlanNode) => {
    const table = node['Relation Name'];
    if (table !== undefined && rules.distributed.includes(table)) {
      const conditions = ['Index Cond', 'Filter', 'Recheck Cond'].map((key) => node[key] ?? '');
      const isScan = node['Node Type'].endsWith('Scan');
      if (isScan && !bound.test(conditions.join(' '))) breaches.push(`all of ${table} is scanned`);
      if (node.Operation === 'Insert' && !isInsertOfTenant(statement, table, rules)) {
        breaches.push(`what is inserted into ${table} need not be of one tenant`);
      }
    }
    for (const child of node.Plans ?? []) walk(child);
  };
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) walk(Plan);
  return breaches;
}

/** `insert into t (tenant, …) values ($1, …), …`: each row's first value is the tenant. */
function isInsertOfTenant(
  { text, values }: HotStatement,
  table: string,
  { tenantColumn, tenant }: TenantRules,
): boolean {
  const form = new RegExp(
    `^\\s*insert into ${table}(?: as \\w+)?\\s*\\(([^)]*)\\)\\s*values (.*)`,
    's',
  );
  const [, columns = '', rest = ''] = form.exec(text) ?? [];
  if (columns.split(',')[0]?.trim() !== tenantColumn) return false;
  const firsts = [...rest.matchAll(/\(\$(\d+)(?:::\w+)?,/g)].map(([, place]) => Number(place));
  return firsts.length > 0 && firsts.every((place) => String(values[place - 1]) === String(tenant));
}
