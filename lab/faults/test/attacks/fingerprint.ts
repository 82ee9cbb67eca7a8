// Computes a fingerprint of each table of a database. A refused request must not change any fingerprint.
import type { Db } from '@counterfoil/kit/postgres/db';

/**
 * A table's fingerprint is its number of rows and the sum of their hashes, so the order of the rows does not
 * matter. The rows of a partition count as rows of its parent table. The columns `last_used_at` and
 * `last_seen_at` are left out, because refused requests update them too. Tables in `excluded` are skipped.
 */
export async function createFingerprint(
  db: Db,
  excluded: readonly string[],
): Promise<() => Promise<Map<string, string>>> {
  const { rows } = await db.query<{ name: string; seen: boolean }>(
    `select relname::text as name, exists (select from pg_attribute
       where attrelid = pg_class.oid and attname in ('last_used_at', 'last_seen_at')) as seen
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> all($1) order by 1`,
    [excluded],
  );
  const each = rows.map(({ name, seen }) => {
    const row = seen ? `(to_jsonb(t) - '{last_used_at,last_seen_at}'::text[])` : 't';
    return `select '${name}' as name, count(*) || ' ' ||
      coalesce(sum(hashtextextended(${row}::text, 0)::numeric), 0) as print from "${name}" t`;
  });
  // The name makes PostgreSQL plan this statement only once. Planning it takes as long as running it.
  const request = { name: 'fingerprint', text: each.join(' union all ') };
  return async () => {
    const found = await db.query<{ name: string; print: string }>(request);
    return new Map(found.rows.map((row) => [row.name, row.print]));
  };
}

export function listChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);
}
