// Reads how many validations there were.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface UsageFilter {
  readonly workspaceId: bigint;
  readonly from: Date;
  readonly to: Date;
  readonly itemId: bigint | undefined;
}

interface Counts {
  valid: bigint;
  invalid: bigint;
}

export async function selectHours(
  db: Queryable,
  filter: UsageFilter,
): Promise<{ hour: Date; valid: bigint; invalid: bigint }[]> {
  const { rows } = await db.query<Counts & { hour: Date }>(
    `select hour, sum(valid)::bigint as valid, sum(invalid)::bigint as invalid
     from validation_hours
     where workspace_id = $1 and hour >= $2 and hour < $3 and ($4::bigint is null or item_id = $4)
     group by hour order by hour`,
    [filter.workspaceId, filter.from, filter.to, filter.itemId ?? null],
  );
  return rows;
}

/** The items with the most validations in the period. */
export async function selectBusiestItems(
  db: Queryable,
  filter: UsageFilter & { limit: number },
): Promise<{ item_id: bigint; valid: bigint; invalid: bigint }[]> {
  const { rows } = await db.query<Counts & { item_id: bigint }>(
    `select item_id, sum(valid)::bigint as valid, sum(invalid)::bigint as invalid
     from validation_hours
     where workspace_id = $1 and hour >= $2 and hour < $3 and ($4::bigint is null or item_id = $4)
     group by item_id order by sum(valid) + sum(invalid) desc, item_id limit $5`,
    [filter.workspaceId, filter.from, filter.to, filter.itemId ?? null, filter.limit],
  );
  return rows;
}

export async function hasValidated(db: Queryable, workspaceId: bigint): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (
       select from validation_hours where workspace_id = $1 and valid > 0
     ) as found`,
    [workspaceId],
  );
  return rows[0]?.found ?? false;
}

const maxItems = 100;

export async function listUsage(db: Queryable, filter: UsageFilter) {
  return {
    hours: await selectHours(db, filter),
    items: await selectBusiestItems(db, { ...filter, limit: maxItems }),
  };
}
