// Activates a purchase on a host: once per host and within the limit of the licence.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { lockOwnPurchase } from '../purchases/management/change-purchase.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { type Activation, hashTarget, type Target } from './activation.ts';
import { findRoom, type Occupancy, windowMs } from './activation-limits.ts';
import { getActivationLimits } from './queries.ts';
import {
  deleteForgotten,
  type SeatKey,
  saveActive,
  saveSeen,
  selectActivationAt,
  selectOccupancy,
} from './store.ts';

/** Number of free hosts that are stored per purchase. */
const maxStored = 100;
/** The time of the last use is stored at most once an hour for each host. */
const seenEveryMs = 3_600_000;

export interface WantedActivation {
  readonly caller: Caller;
  readonly purchaseId: bigint;
  readonly target: Target;
  readonly now: Date;
  /** Called before a write; throws if the purchase changes too often. */
  readonly onChange: () => void;
}

export interface Activated {
  readonly activation: Activation;
  /** Whether this call activated the host. */
  readonly isNew: boolean;
  readonly limit: number;
  readonly used: number;
}

/** The purchase stays locked until the transaction ends, so two hosts never get the same last seat. */
export const activatePurchase = (
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  wanted: WantedActivation,
): Promise<Activated> =>
  db.transaction(async (tx) => {
    const { workspaceId } = wanted.caller;
    const purchase = await lockOwnPurchase(tx, { workspaceId, purchaseId: wanted.purchaseId });
    if (purchase.state !== 'active') throw fail(`purchase_${purchase.state}`);
    const targetHash = hashTarget(masterKey, wanted);
    const seat = { workspaceId, purchaseId: purchase.id, targetHash };
    const known = await selectActivationAt(tx, seat);
    const limits = await getActivationLimits(tx, { workspaceId, itemId: purchase.itemId });
    const limit = purchase.licenseType === 'Extended' ? limits.extended : limits.regular;
    const since = new Date(wanted.now.getTime() - windowMs);
    const of = { workspaceId, purchaseId: purchase.id, since };
    const occupancy = await selectOccupancy(tx, of);
    if (known && !known.releasedAt) {
      const activation = await recordSeen(tx, wanted, known);
      return { activation, isNew: false, limit, used: occupancy.used };
    }
    if (wanted.target.counts) {
      const isKnownHost = known?.counts === true && (known.releasedAt ?? since) > since;
      refuseWithoutRoom({ limit, moves: limits.moves, occupancy, isKnownHost });
    }
    wanted.onChange();
    const activation = await takeSeat(tx, wanted, { seat, purchase });
    await deleteForgotten(tx, { ...of, keep: maxStored });
    const used = occupancy.used + (activation.counts ? 1 : 0);
    return { activation, isNew: true, limit, used };
  });

async function recordSeen(
  tx: Tx,
  { caller, now }: WantedActivation,
  known: Activation,
): Promise<Activation> {
  if (now.getTime() - known.lastSeenAt.getTime() < seenEveryMs) return known;
  await saveSeen(tx, { workspaceId: caller.workspaceId, activationId: known.id }, now);
  return { ...known, lastSeenAt: now };
}

function refuseWithoutRoom(given: {
  limit: number;
  moves: number;
  occupancy: Occupancy;
  isKnownHost: boolean;
}): void {
  const room = findRoom(given);
  if (room.free) return;
  const { limit, moves } = given;
  const data = { limit, used: given.occupancy.used };
  if (room.code === 'activation_limit_reached') throw fail(room.code, { data });
  throw fail(room.code, { data: { ...data, moves, free_at: room.freeAt.toISOString() } });
}

/** The host is not stored for an erased buyer, because it may name the buyer. */
async function takeSeat(
  tx: Tx,
  { caller, target, now }: WantedActivation,
  { seat, purchase }: { seat: SeatKey; purchase: ManagedPurchase },
): Promise<Activation> {
  const isNamed = purchase.buyerErasedAt === undefined;
  await saveActive(tx, { ...seat, target, isNamed, at: now });
  const activation = await selectActivationAt(tx, seat);
  if (!activation) throw new Error('an activation is gone in the transaction that made it');
  // Free hosts are not logged: they change often and would hide what a seller looks for. The log never
  // names the host, because it could not be erased there.
  if (!target.counts) return activation;
  await recordAudit(tx, {
    workspaceId: seat.workspaceId,
    at: now,
    actor: caller.actor,
    action: 'purchase_activated',
    subject: { kind: 'purchase', id: String(seat.purchaseId) },
    details: { activation_id: Number(activation.id), kind: target.kind },
  });
  return activation;
}
