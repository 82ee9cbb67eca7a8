// Rules for a schema that must work on a single server, on a cluster, and sharded by tenant.
import type { Queryable } from '../postgres/db.ts';
import type { Distribution } from '../postgres/distribution/distribution.ts';
import { queryRows } from '../postgres/rows.ts';

interface KeyRow {
  relation: string;
  name: string;
  /** The first column of the key. It is absent if the key begins with an expression. */
  firstColumn?: string;
}

/**
 * Returns each violation of the rules as a sentence. A schema without violations can be distributed by
 * tenant.
 */
export async function findSchemaBreaches(db: Queryable, rules: Distribution): Promise<string[]> {
  const isTenant = (table: string) => rules.distributed.includes(table);
  const breaches = findListBreaches(rules, [...(await listTables(db))]);
  for (const key of await listUniqueIndexes(db)) {
    if (isTenant(key.relation) && key.firstColumn !== rules.tenantColumn) {
      breaches.push(`${key.name} on ${key.relation} does not start with ${rules.tenantColumn}`);
    }
  }
  for (const key of await listForeignKeys(db)) breaches.push(...checkForeignKey(rules, key));
  for (const table of await listTablesWithoutPrimaryKey(db)) {
    breaches.push(`${table} has no primary key`);
  }
  for (const trigger of await listTriggers(db)) breaches.push(`${trigger} is a trigger`);
  for (const each of await listOddities(db)) {
    if (isTenant(each.relation)) breaches.push(`${each.relation} ${each.problem}`);
  }
  return breaches;
}

/**
 * Finds mistakes in the three lists of `rules`: tables that do not exist or are not in exactly one list, and
 * tenant columns that are missing, nullable or of different types.
 */
function findListBreaches(rules: Distribution, tables: [string, TableColumns][]): string[] {
  const listed = [...rules.distributed, ...rules.reference, ...rules.local];
  const names = tables.map(([table]) => table);
  const breaches = listed
    .filter((table) => !names.includes(table))
    .map((table) => `${table} is listed but does not exist`);
  const types = new Set<string>();
  for (const [table, { types: columns, nullable }] of tables) {
    const places = listed.filter((each) => each === table).length;
    if (places !== 1) breaches.push(`${table} is in ${places} lists instead of one`);
    if (!rules.distributed.includes(table)) continue;
    const type = columns.get(rules.tenantColumn);
    if (type === undefined) breaches.push(`${table} has no ${rules.tenantColumn}`);
    else types.add(type);
    if (nullable.has(rules.tenantColumn)) breaches.push(`the tenant of ${table} may be null`);
  }
  if (types.size > 1) breaches.push(`${rules.tenantColumn} has ${types.size} types`);
  return breaches;
}

function checkForeignKey(rules: Distribution, key: ForeignKeyRow): string[] {
  const { relation, name, referenced } = key;
  const kindOf = (table: string) =>
    (['distributed', 'reference', 'local'] as const).find((kind) => rules[kind].includes(table));
  const allowed: Record<string, readonly (string | undefined)[]> = {
    distributed: ['distributed', 'reference'],
    reference: ['reference'],
    local: ['local', 'reference'],
  };
  const [from, to] = [kindOf(relation), kindOf(referenced)];
  if (from === undefined) return [];
  if (!allowed[from]?.includes(to)) return [`${name} refers from ${from} ${relation} to ${to} rows`];
  if (from !== 'distributed') return [];
  const breaches: string[] = [];
  if (key.firstColumn !== rules.tenantColumn) {
    breaches.push(`${name} on ${relation} does not start with ${rules.tenantColumn}`);
  }
  if (to === 'distributed' && key.firstReferenced !== rules.tenantColumn) {
    breaches.push(`${name} on ${relation} does not refer to the tenant column first`);
  }
  if (key.clears) breaches.push(`${name} on ${relation} would clear the tenant column`);
  return breaches;
}

interface TableColumns {
  readonly types: ReadonlyMap<string, string>;
  readonly nullable: ReadonlySet<string>;
}

async function listTables(db: Queryable): Promise<Map<string, TableColumns>> {
  const { rows } = await db.query<{
    relation: string;
    columns: string[];
    types: string[];
    nullable: string[];
  }>(
    `select c.relname::text as relation, array_agg(a.attname::text) as columns,
       array_agg(a.atttypid::regtype::text) as types,
       coalesce(array_agg(a.attname::text) filter (where not a.attnotnull), '{}') as nullable
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition
     group by 1`,
  );
  return new Map(
    rows.map((row) => {
      const types = row.columns.map((column, i) => [column, row.types[i] ?? ''] as const);
      return [row.relation, { types: new Map(types), nullable: new Set(row.nullable) }];
    }),
  );
}

const listUniqueIndexes = (db: Queryable): Promise<KeyRow[]> =>
  queryRows(
    db,
    `select t.relname::text as relation, i.relname::text as name, a.attname::text as first_column
     from pg_index x
     join pg_class t on t.oid = x.indrelid
     join pg_class i on i.oid = x.indexrelid
     left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
     where t.relnamespace = 'public'::regnamespace and x.indisunique and not t.relispartition`,
  );

interface ForeignKeyRow extends KeyRow {
  referenced: string;
  firstReferenced: string;
  /** Whether deleting or changing the referenced row sets columns of the key to null or to their defaults. */
  clears: boolean;
}

const listForeignKeys = (db: Queryable): Promise<ForeignKeyRow[]> =>
  queryRows(
    db,
    `select t.relname::text as relation, k.conname::text as name, a.attname::text as first_column,
       r.relname::text as referenced, ra.attname::text as first_referenced,
       k.confdeltype in ('n', 'd') or k.confupdtype in ('n', 'd') as clears
     from pg_constraint k
     join pg_class t on t.oid = k.conrelid
     join pg_class r on r.oid = k.confrelid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
     join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = k.confkey[1]
     where t.relnamespace = 'public'::regnamespace and k.contype = 'f' and not t.relispartition`,
  );

/** Lists table properties that Citus does not support, or that fail on a worker node. */
const listOddities = (db: Queryable): Promise<{ relation: string; problem: string }[]> =>
  queryRows(
    db,
    `with tables as (select oid, relname::text as relation from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition)
     select t.relation, 'numbers ' || a.attname || ' by a sequence of less than 64 bits' as problem
     from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0
     left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
     where a.atttypid in ('int2'::regtype, 'int4'::regtype)
       and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
     union all
     select t.relation, 'excludes rows by ' || k.conname
     from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'x'
     union all
     select t.relation, 'inherits from a table'
     from tables t join pg_inherits i on i.inhrelid = t.oid
     union all
     select t.relation, 'has the rule ' || r.rulename
     from tables t join pg_rewrite r on r.ev_class = t.oid
     union all
     select t.relation, 'has row security'
     from tables t join pg_class c on c.oid = t.oid and c.relrowsecurity`,
  );

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
