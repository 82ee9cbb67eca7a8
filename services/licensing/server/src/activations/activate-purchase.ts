// Activates a purchase on a host: once per host and within the limit of the licence.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { lockOwnPurchase } from '../purchases/management/change-purchase.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { auditPurchase, type PurchaseToChange } from '../purchases/purchase-event.ts';
import { type Activation, hashTarget, type Target } from './activation.ts';
import { findRoom, windowMs } from './activation-limits.ts';
import { findActivationAt, getActivationLimits, type SeatKey, selectOccupancy } from './queries.ts';
import { deleteExcess, saveActive, saveSeen } from './store.ts';

/**
 * Hosts that need no seat are stored too, at most this number per purchase. Released hosts have a separate
 * limit of the same size.
 */
const maxStored = 100;
/** The time of the last use is stored at most once an hour for each host. */
const seenEveryMs = 3_600_000;

/** Whether the stored time of the last use is so recent that it need not be stored again. */
export const isSeenLately = (seenAt: Date, now: Date): boolean =>
  now.getTime() - seenAt.getTime() < seenEveryMs;

interface WantedActivation extends PurchaseToChange {
  readonly target: Target;
  /** A function that is called before a write. It throws an error if the purchase changes too often. */
  readonly onChange: () => void;
}

/**
 * Activates a purchase on a host. The purchase is locked until the transaction ends, so that two hosts never
 * get the same last seat. In the result, `isNew` tells whether this call activated the host.
 */
export const activatePurchase = (
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  wanted: WantedActivation,
) =>
  db.transaction(async (tx) => {
    const { workspaceId } = wanted.caller;
    const purchase = await lockOwnPurchase(tx, { workspaceId, purchaseId: wanted.purchaseId });
    if (purchase.state !== 'active') throw fail(`purchase_${purchase.state}`);
    const targetHash = hashTarget(masterKey, wanted);
    const seat = { workspaceId, purchaseId: purchase.id, targetHash };
    const known = await findActivationAt(tx, seat);
    const item = { workspaceId, itemId: purchase.itemId };
    const { inForce: limits } = await getActivationLimits(tx, item);
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
    await deleteExcess(tx, { ...of, keep: maxStored });
    const used = occupancy.used + (activation.counts ? 1 : 0);
    return { activation, isNew: true, limit, used };
  });

async function recordSeen(tx: Tx, { caller, now }: WantedActivation, known: Activation): Promise<Activation> {
  if (isSeenLately(known.lastSeenAt, now)) return known;
  await saveSeen(tx, { workspaceId: caller.workspaceId, activationId: known.id }, now);
  return { ...known, lastSeenAt: now };
}

function refuseWithoutRoom(given: Parameters<typeof findRoom>[0]): void {
  const room = findRoom(given);
  if (room.free) return;
  const { limit, moves } = given;
  const data = { limit, used: given.occupancy.used };
  if (room.code === 'activation_limit_reached') throw fail(room.code, { data });
  throw fail(room.code, { data: { ...data, moves, free_at: room.freeAt.toISOString() } });
}

/**
 * Occupies a seat. If the buyer was erased, the host name is not stored, because it may contain the buyer's
 * name.
 */
async function takeSeat(
  tx: Tx,
  wanted: WantedActivation,
  { seat, purchase }: { seat: SeatKey; purchase: ManagedPurchase },
): Promise<Activation> {
  const { target, now } = wanted;
  const isNamed = purchase.buyerErasedAt === undefined;
  await saveActive(tx, { ...seat, target, isNamed, at: now });
  const activation = await findActivationAt(tx, seat);
  if (!activation) throw new Error('the activation was not found in the transaction that stored it');
  // Activations on hosts that need no seat are not audited, because they change often. The audit line does
  // not contain the host. A host may identify the buyer, and erasing a buyer does not change the audit log.
  if (!target.counts) return activation;
  const details = { activation_id: Number(activation.id), kind: target.kind };
  await auditPurchase(tx, wanted, 'purchase_activated', details);
  return activation;
}
