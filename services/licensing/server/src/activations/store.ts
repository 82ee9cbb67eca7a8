// Rows of `activations`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { PurchaseState } from '../purchases/purchase.ts';
import type { Activation, Target } from './activation.ts';
import type { Occupancy, SetLimits } from './activation-limits.ts';

interface Row {
  id: bigint;
  purchase_id: bigint;
  item_id: bigint;
  state: PurchaseState;
  target_kind: Target['kind'];
  target: string | null;
  counts: boolean;
  created_at: Date;
  last_seen_at: Date;
  released_at: Date | null;
}

const fromRow = (row: Row): Activation => ({
  id: row.id,
  purchaseId: row.purchase_id,
  itemId: row.item_id,
  purchaseState: row.state,
  kind: row.target_kind,
  target: row.target ?? undefined,
  counts: row.counts,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  releasedAt: row.released_at ?? undefined,
});

const selectShown = `
  select a.id, a.purchase_id, p.item_id, p.state, a.target_kind, a.target, a.counts, a.created_at,
    a.last_seen_at, a.released_at
  from activations a
  join purchases p on p.workspace_id = a.workspace_id and p.id = a.purchase_id`;

export interface ActivationKey {
  readonly workspaceId: bigint;
  readonly activationId: bigint;
}

export async function selectActivation(
  db: Queryable,
  key: ActivationKey,
): Promise<Activation | undefined> {
  const { rows } = await db.query<Row>(`${selectShown} where a.workspace_id = $1 and a.id = $2`, [
    key.workspaceId,
    key.activationId,
  ]);
  return rows[0] && fromRow(rows[0]);
}

export interface SeatKey {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
  readonly targetHash: Buffer;
}

export async function selectActivationAt(
  db: Queryable,
  key: SeatKey,
): Promise<Activation | undefined> {
  const { rows } = await db.query<Row>(
    `${selectShown} where a.workspace_id = $1 and a.purchase_id = $2 and a.target_hash = $3`,
    [key.workspaceId, key.purchaseId, key.targetHash],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Newest first, after the last id of the previous page. */
export async function selectActivations(
  db: Queryable,
  wanted: {
    workspaceId: bigint;
    purchaseId: bigint | undefined;
    beforeId: bigint | undefined;
    limit: number;
  },
): Promise<Activation[]> {
  const values: unknown[] = [wanted.workspaceId, wanted.limit];
  const conditions = ['a.workspace_id = $1'];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  where((at) => `a.id < ${at}`, wanted.beforeId);
  where((at) => `a.purchase_id = ${at}`, wanted.purchaseId);
  const { rows } = await db.query<Row>(
    `${selectShown} where ${conditions.join(' and ')} order by a.id desc limit $2`,
    values,
  );
  return rows.map(fromRow);
}

export async function selectOccupancy(
  db: Queryable,
  of: { workspaceId: bigint; purchaseId: bigint; since: Date },
): Promise<Occupancy> {
  const { rows } = await db.query<{ used: bigint; left: bigint; first: Date | null }>(
    `select count(*) filter (where released_at is null) as used,
       count(*) filter (where released_at > $3) as left,
       min(released_at) filter (where released_at > $3) as first
     from activations where workspace_id = $1 and purchase_id = $2 and counts`,
    [of.workspaceId, of.purchaseId, of.since],
  );
  const [row] = rows;
  return {
    used: Number(row?.used ?? 0),
    left: Number(row?.left ?? 0),
    firstLeftAt: row?.first ?? undefined,
  };
}

/** Updates the row of a known target. The purchase is locked, so there is no other writer. */
export async function saveActive(
  tx: Tx,
  given: SeatKey & { target: Target; isNamed: boolean; at: Date },
): Promise<void> {
  await tx.query(
    `insert into activations (workspace_id, purchase_id, target_hash, target_kind, target, counts,
       created_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (workspace_id, purchase_id, target_hash) do update
     set target = excluded.target, counts = excluded.counts, released_at = null,
       last_seen_at = excluded.last_seen_at`,
    [
      given.workspaceId,
      given.purchaseId,
      given.targetHash,
      given.target.kind,
      given.isNamed ? given.target.name : null,
      given.target.counts,
      given.at,
    ],
  );
}

export async function saveSeen(tx: Tx, key: ActivationKey, at: Date): Promise<void> {
  await tx.query('update activations set last_seen_at = $3 where workspace_id = $1 and id = $2', [
    key.workspaceId,
    key.activationId,
    at,
  ]);
}

/** False if it was already released. */
export async function saveReleased(
  tx: Tx,
  key: ActivationKey,
  released: { at: Date; counts: boolean },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update activations set released_at = $3, counts = counts and $4
     where workspace_id = $1 and id = $2 and released_at is null`,
    [key.workspaceId, key.activationId, released.at, released.counts],
  );
  return rowCount === 1;
}

/**
 * Deletes activations that take no seat, except the most recent ones of each kind. Those that still count
 * as a move stay.
 */
export async function deleteForgotten(
  tx: Tx,
  of: { workspaceId: bigint; purchaseId: bigint; keep: number; since: Date },
): Promise<void> {
  await tx.query(
    `delete from activations where workspace_id = $1 and purchase_id = $2 and id in (
       select id from (
         select id, row_number() over (partition by counts order by last_seen_at desc, id desc) as n
         from activations
         where workspace_id = $1 and purchase_id = $2 and (not counts or released_at <= $4)
       ) ranked where n > $3)`,
    [of.workspaceId, of.purchaseId, of.keep, of.since],
  );
}

export async function clearTargets(
  tx: Tx,
  of: { workspaceId: bigint; purchaseIds: readonly bigint[] },
): Promise<void> {
  await tx.query(
    `update activations set target = null
     where workspace_id = $1 and purchase_id = any($2) and target is not null`,
    [of.workspaceId, of.purchaseIds],
  );
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
