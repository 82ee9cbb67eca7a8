// Returns all rows of a test database as text, so that a test can search them for a secret.
import type { Db } from '../postgres/db.ts';

/**
 * Returns all rows of all tables as text, each with the name of its table. Byte columns are shown as the
 * characters that they contain, so that a search also finds a text that is stored as bytes. Partitioned
 * tables are left out, because their rows are in their partitions.
 */
export async function dumpRows(db: Db): Promise<string> {
  return await db.transaction(async (tx) => {
    await tx.query(`set local bytea_output = 'escape'`);
    const { rows: tables } = await tx.query<{ name: string }>(
      `select relname::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await tx.query<{ row: string }>(`select t::text as row from "${name}" t`);
      texts.push(...rows.map((each) => `${name} ${each.row}`));
    }
    return texts.join('\n');
  });
}
