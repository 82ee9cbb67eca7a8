// The rules that let one schema run on a single server, a cluster, or sharded by tenant.
import type { Queryable } from '../db.ts';

export interface SchemaRules {
  /** The column that leads every key of a tenant's table. */
  readonly tenantColumn: string;
  /** Tables that are found before the tenant is known: the one short list. */
  readonly globalTables: readonly string[];
}

interface KeyRow {
  relation: string;
  name: string;
  first_column: string | null;
}

/** Every breach in one sentence; empty means that the schema may be distributed by tenant. */
export async function findSchemaBreaches(db: Queryable, rules: SchemaRules): Promise<string[]> {
  const isTenant = (table: string) => !rules.globalTables.includes(table);
  const tables = await listTables(db);
  const breaches: string[] = [];
  for (const table of rules.globalTables) {
    if (!tables.has(table)) breaches.push(`${table} is listed as global but does not exist`);
  }
  for (const [table, columns] of tables) {
    if (isTenant(table) && !columns.includes(rules.tenantColumn)) {
      breaches.push(`${table} has no ${rules.tenantColumn} and is not on the global list`);
    }
  }
  for (const key of [...(await listUniqueIndexes(db)), ...(await listForeignKeys(db))]) {
    if (isTenant(key.relation) && key.first_column !== rules.tenantColumn) {
      breaches.push(`${key.name} on ${key.relation} does not start with ${rules.tenantColumn}`);
    }
  }
  for (const table of await listTablesWithoutPrimaryKey(db)) {
    breaches.push(`${table} has no primary key`);
  }
  for (const trigger of await listTriggers(db)) breaches.push(`${trigger} is a trigger`);
  return breaches;
}

async function listTables(db: Queryable): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ relation: string; columns: string[] }>(
    `select c.relname::text as relation, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition
     group by 1`,
  );
  return new Map(rows.map((row) => [row.relation, row.columns]));
}

async function listUniqueIndexes(db: Queryable): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select t.relname::text as relation, i.relname::text as name, a.attname::text as first_column
     from pg_index x
     join pg_class t on t.oid = x.indrelid
     join pg_class i on i.oid = x.indexrelid
     left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
     where t.relnamespace = 'public'::regnamespace and x.indisunique and not t.relispartition`,
  );
  return rows;
}

async function listForeignKeys(db: Queryable): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select t.relname::text as relation, k.conname::text as name, a.attname::text as first_column
     from pg_constraint k
     join pg_class t on t.oid = k.conrelid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
     where t.relnamespace = 'public'::regnamespace and k.contype = 'f' and not t.relispartition`,
  );
  return rows;
}

async function listTablesWithoutPrimaryKey(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ relation: string }>(
    `select c.relname::text as relation from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition
       and not exists (select 1 from pg_index x where x.indrelid = c.oid and x.indisprimary)`,
  );
  return rows.map((row) => row.relation);
}

async function listTriggers(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select tgname::text as name from pg_trigger where not tgisinternal',
  );
  return rows.map((row) => row.name);
}
