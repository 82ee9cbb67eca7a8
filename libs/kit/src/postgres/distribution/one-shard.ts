// Checks that a statement uses the rows of one tenant only, by the plan of Citus or PostgreSQL.
import type { Queryable, QueryRequest } from '../db.ts';

/** A statement of the hot path with the values that the service sends. */
export type HotStatement = Required<QueryRequest>;

/**
 * Returns the lines of the Citus plan that show no shard, several shards, or rows that pass through the
 * coordinator. The list is empty if the statement uses one shard.
 */
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

interface TenantRules {
  readonly tenantColumn: string;
  readonly distributed: readonly string[];
  readonly tenant: number | bigint;
}

/**
 * Does the same check as `findSpreadByCitus`, for a database without Citus. The check reads the plan of
 * PostgreSQL. Every scan of a distributed table must compare the tenant column with a value, not with
 * another column. Every inserted row must belong to the tenant.
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
      if (isScan && !bound.test(conditions.join(' '))) {
        breaches.push(`${table} is scanned for all tenants`);
      }
      if (node.Operation === 'Insert' && !isInsertOfTenant(statement, table, rules)) {
        breaches.push(`rows inserted into ${table} may belong to several tenants`);
      }
    }
    for (const child of node.Plans ?? []) walk(child);
  };
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) walk(Plan);
  return breaches;
}

/**
 * Whether the statement is `insert into t (tenant, …) values ($1, …), …` and the first value of each row is
 * the tenant.
 */
function isInsertOfTenant(
  { text, values }: HotStatement,
  table: string,
  { tenantColumn, tenant }: TenantRules,
): boolean {
  const form = new RegExp(`^\\s*insert into ${table}(?: as \\w+)?\\s*\\(([^)]*)\\)\\s*values (.*)`, 's');
  const [, columns = '', rest = ''] = form.exec(text) ?? [];
  if (columns.split(',')[0]?.trim() !== tenantColumn) return false;
  const firsts = [...rest.matchAll(/\(\$(\d+)(?:::\w+)?,/g)].map(([, number]) => Number(number));
  return firsts.length > 0 && firsts.every((each) => String(values[each - 1]) === String(tenant));
}
