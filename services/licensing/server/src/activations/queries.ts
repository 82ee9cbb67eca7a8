// Reads activations and the limits that hold for an item.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import type { Activation } from './activation.ts';
import {
  type ActivationLimits,
  noLimitsSet,
  type SetLimits,
  settleLimits,
} from './activation-limits.ts';
import { selectActivations } from './store.ts';

interface Row {
  item_id: bigint;
  regular: number | null;
  extended: number | null;
  moves: number | null;
}

const fromRow = (row: Row | undefined): SetLimits =>
  row
    ? {
        regular: row.regular ?? undefined,
        extended: row.extended ?? undefined,
        moves: row.moves ?? undefined,
      }
    : noLimitsSet;

export async function selectSetLimits(
  db: Queryable,
  of: { workspaceId: bigint; itemId: bigint },
): Promise<{ item: SetLimits; workspace: SetLimits }> {
  const { rows } = await db.query<Row>(
    `select item_id, regular, extended, moves from activation_limits
     where workspace_id = $1 and item_id in (0, $2)`,
    [of.workspaceId, of.itemId],
  );
  const find = (itemId: bigint) => fromRow(rows.find((row) => row.item_id === itemId));
  return { item: find(of.itemId), workspace: find(0n) };
}

/** Item 0 stands for the whole workspace. */
interface LimitsKey {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
}

export async function getActivationLimits(
  db: Queryable,
  key: LimitsKey,
): Promise<ActivationLimits & { readonly set: SetLimits }> {
  const { item, workspace } = await selectSetLimits(db, key);
  return { ...settleLimits(item, workspace), set: item };
}

export const listActivations = (
  db: Queryable,
  filter: { workspaceId: bigint; purchaseId: bigint | undefined },
  page: Page,
): Promise<Activation[]> =>
  selectActivations(db, { ...filter, limit: page.limit, beforeId: page.after[0] });
