// Reads the number of validations.
import type { Queryable } from '@counterfoil/kit/postgres/db';

const maxItems = 100;

interface Counts {
  valid: bigint;
  invalid: bigint;
}

const sums = 'sum(valid)::bigint as valid, sum(invalid)::bigint as invalid';
const fromHours = `from validation_hours
  where workspace_id = $1 and hour >= $2 and hour < $3 and ($4::bigint is null or item_id = $4)`;

/** Returns the counts for each hour, and the counts of the items with the most validations in the period. */
export async function listUsage(
  db: Queryable,
  filter: { workspaceId: bigint; from: Date; to: Date; itemId: bigint | undefined },
) {
  const values = [filter.workspaceId, filter.from, filter.to, filter.itemId ?? null];
  const hours = await db.query<Counts & { hour: Date }>(
    `select hour, ${sums} ${fromHours} group by hour order by hour`,
    values,
  );
  const items = await db.query<Counts & { item_id: bigint }>(
    `select item_id, ${sums} ${fromHours}
     group by item_id order by sum(valid) + sum(invalid) desc, item_id limit ${maxItems}`,
    values,
  );
  return { hours: hours.rows, items: items.rows };
}

export async function hasValidated(db: Queryable, workspaceId: bigint): Promise<boolean> {
  const { rows } = await db.query(
    'select from validation_hours where workspace_id = $1 and valid > 0 limit 1',
    [workspaceId],
  );
  return rows.length > 0;
}
