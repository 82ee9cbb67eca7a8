// Reads the version and the tables of the Citus extension.
import type { Queryable } from '../db.ts';
import type { ForeignKey, KnownTable } from './distribution.ts';

export async function findCitusVersion(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ version: string }>(
    `select extversion::text as version from pg_extension where extname = 'citus'`,
  );
  return rows[0]?.version;
}

/**
 * Lists the tables that Citus manages, without their partitions: Citus distributes a partition with its
 * table.
 */
export async function listKnownTables(db: Queryable): Promise<KnownTable[]> {
  const { rows } = await db.query<KnownTable>(
    `select c.relname::text as "table", t.citus_table_type as kind,
       case when t.citus_table_type = 'distributed' then t.distribution_column end as "column",
       t.colocation_id as colocation
     from citus_tables t join pg_class c on c.oid = t.table_name::oid
     where c.relnamespace = 'public'::regnamespace and not c.relispartition
       and t.citus_table_type in ('distributed', 'reference')`,
  );
  return rows;
}

export async function listForeignKeys(db: Queryable): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `select t.relname::text as "table", quote_ident(k.conname) as name,
       r.relname::text as referenced, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k
     join pg_class t on t.oid = k.conrelid
     join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and t.relnamespace = 'public'::regnamespace and not t.relispartition
     order by 1, 2`,
  );
  return rows;
}
