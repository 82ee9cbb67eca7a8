// Rows of `activation_limits`; item 0 is the workspace as a whole.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { noLimitsSet, type SetLimits } from './activation-limits.ts';

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

export async function saveSetLimits(
  tx: Tx,
  given: { workspaceId: bigint; itemId: bigint; limits: SetLimits },
): Promise<void> {
  const { limits } = given;
  await tx.query(
    `insert into activation_limits (workspace_id, item_id, regular, extended, moves)
     values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, item_id) do update
     set regular = excluded.regular, extended = excluded.extended, moves = excluded.moves`,
    [
      given.workspaceId,
      given.itemId,
      limits.regular ?? null,
      limits.extended ?? null,
      limits.moves ?? null,
    ],
  );
}
