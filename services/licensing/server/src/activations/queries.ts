// Reads activations and the limits that apply to an item.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { ItemKey } from '../items/queries.ts';
import { publicStateOf } from '../purchases/purchase.ts';
import type { Page } from '../wire/paging.ts';
import type { Activation } from './activation.ts';
import { type ActivationLimits, defaultLimits, type Occupancy, type SetLimits } from './activation-limits.ts';

const selectShown = `
  select a.id, a.purchase_id, p.item_id, ${publicStateOf('p')} as purchase_state,
    a.target_kind as kind, a.target, a.counts, a.created_at, a.last_seen_at, a.released_at
  from activations a
  join purchases p on p.workspace_id = a.workspace_id and p.id = a.purchase_id`;

export interface ActivationKey {
  readonly workspaceId: bigint;
  readonly activationId: bigint;
}

export const findActivation = (db: Queryable, key: ActivationKey): Promise<Activation | undefined> =>
  queryRow<Activation>(db, `${selectShown} where a.workspace_id = $1 and a.id = $2`, [
    key.workspaceId,
    key.activationId,
  ]);

export interface SeatKey {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
  readonly targetHash: Buffer;
}

export const findActivationAt = (db: Queryable, key: SeatKey): Promise<Activation | undefined> =>
  queryRow<Activation>(
    db,
    `${selectShown} where a.workspace_id = $1 and a.purchase_id = $2 and a.target_hash = $3`,
    [key.workspaceId, key.purchaseId, key.targetHash],
  );

/** Lists activations, newest first. */
export function listActivations(
  db: Queryable,
  filter: { workspaceId: bigint; purchaseId: bigint | undefined },
  page: Page,
): Promise<Activation[]> {
  const values: unknown[] = [filter.workspaceId, page.limit];
  const conditions = ['a.workspace_id = $1'];
  // Only the given filters are in the statement, so that each combination can use its index.
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  where((at) => `a.id < ${at}`, page.after[0]);
  where((at) => `a.purchase_id = ${at}`, filter.purchaseId);
  return queryRows<Activation>(
    db,
    `${selectShown} where ${conditions.join(' and ')} order by a.id desc limit $2`,
    values,
  );
}

/** Counts the seats of a purchase that are in use, and the hosts that released a seat after `since`. */
export async function selectOccupancy(
  db: Queryable,
  of: { workspaceId: bigint; purchaseId: bigint; since: Date },
): Promise<Occupancy> {
  const occupancy = await queryRow<Occupancy>(
    db,
    `select count(*) filter (where released_at is null)::int as used,
       count(*) filter (where released_at > $3)::int as left,
       min(released_at) filter (where released_at > $3) as first_left_at
     from activations where workspace_id = $1 and purchase_id = $2 and counts`,
    [of.workspaceId, of.purchaseId, of.since],
  );
  return occupancy ?? { used: 0, left: 0 };
}

/**
 * Reads the limits that a seller has set for an item and for the workspace. The row of the workspace has the
 * item id 0.
 */
export async function selectSetLimits(
  db: Queryable,
  key: ItemKey,
): Promise<{ item: SetLimits; workspace: SetLimits }> {
  const rows = await queryRows<{ itemId: bigint; limits: SetLimits }>(
    db,
    `select item_id, jsonb_strip_nulls(
       jsonb_build_object('regular', regular, 'extended', extended, 'moves', moves)) as limits
     from activation_limits where workspace_id = $1 and item_id in (0, $2)`,
    [key.workspaceId, key.itemId],
  );
  const find = (itemId: bigint) => rows.find((row) => row.itemId === itemId)?.limits ?? {};
  return { item: find(key.itemId), workspace: find(0n) };
}

/**
 * Returns the limits that are set for the item, and the limits in force. A limit that is not set for the item
 * comes from the workspace, or from the defaults.
 */
export async function getActivationLimits(
  db: Queryable,
  key: ItemKey,
): Promise<{ set: SetLimits; inForce: ActivationLimits }> {
  const { item: set, workspace } = await selectSetLimits(db, key);
  return { set, inForce: { ...defaultLimits, ...workspace, ...set } };
}
