// Writes `activations`, `activation_refusals` and `activation_limits`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Target } from './activation.ts';
import type { SetLimits } from './activation-limits.ts';
import type { ActivationKey, SeatKey } from './queries.ts';

/**
 * Inserts an activation, or reactivates the existing activation of the target. The caller must have
 * locked the purchase.
 */
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

/** Saves a release. Returns false if the activation was already released. */
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
 * Deletes old activations in two groups, and keeps the newest `keep` activations of each group. The first
 * group contains activations of hosts that need no seat and activations that the seller released. The second
 * group contains activations that were released in another way and no longer count as a move.
 */
export async function deleteExcess(
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

/**
 * Stores that a host was refused, and deletes the refusals of the purchase before `since`. Stores nothing and
 * returns false if the refusal needs no event: the host was already refused after `againSince`, or `keep`
 * other hosts of the purchase were refused after `since`.
 */
export async function saveRefusal(
  tx: Tx,
  given: SeatKey & { at: Date; since: Date; againSince: Date; keep: number },
): Promise<boolean> {
  const { workspaceId, purchaseId, targetHash, at, since } = given;
  const { rowCount } = await tx.query(
    `insert into activation_refusals (workspace_id, purchase_id, target_hash, refused_at)
     select $1::bigint, $2::bigint, $3::bytea, $4::timestamptz
     where (select count(*) from activation_refusals
       where workspace_id = $1 and purchase_id = $2 and target_hash <> $3 and refused_at > $5) < $7
     on conflict (workspace_id, purchase_id, target_hash) do update set refused_at = excluded.refused_at
     where activation_refusals.refused_at <= $6`,
    [workspaceId, purchaseId, targetHash, at, since, given.againSince, given.keep],
  );
  if (rowCount !== 1) return false;
  await tx.query(
    `delete from activation_refusals where workspace_id = $1 and purchase_id = $2 and refused_at <= $3`,
    [workspaceId, purchaseId, since],
  );
  return true;
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
    [given.workspaceId, given.itemId, limits.regular, limits.extended, limits.moves],
  );
}
