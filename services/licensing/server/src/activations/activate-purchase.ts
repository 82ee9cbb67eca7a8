// Activates a purchase on a host: once per host and within the limit of the licence.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { lockOwnPurchase } from '../purchases/management/change-purchase.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { getPublicState } from '../purchases/purchase.ts';
import { auditPurchase, type PurchaseToChange } from '../purchases/purchase-event.ts';
import { recordEvent } from '../webhooks/events.ts';
import { type Activation, hashTarget, type Target } from './activation.ts';
import { makeActivationEvent, makeRefusalEvent } from './activation-event.ts';
import { findRoom, windowMs } from './activation-limits.ts';
import { findActivationAt, getActivationLimits, type SeatKey, selectOccupancy } from './queries.ts';
import { deleteExcess, saveActive, saveRefusal, saveSeen } from './store.ts';

/**
 * The maximum number of stored activations that occupy no seat, for each purchase and for each of the two
 * groups of `deleteExcess`.
 */
const maxStored = 100;
/**
 * The number of refused hosts that are stored per purchase within `windowDays` days. Further hosts are
 * refused without an event.
 */
const maxRefusals = 100;
/** If a host is refused again, another event is recorded only after this time. */
const refusedAgainMs = 86_400_000;
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
 * Activates a purchase on a host. In the result, `isNew` tells whether this call activated the host. A
 * refusal is thrown after the commit, because the transaction also records the event of the refusal.
 */
export async function activatePurchase(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  wanted: WantedActivation,
) {
  const outcome = await db.transaction((tx) => tryToActivate(tx, masterKey, wanted));
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

/**
 * Activates the purchase, or returns the error of a host that gets no seat. The purchase is locked until the
 * transaction ends, so that two hosts never get the same last seat.
 */
async function tryToActivate(tx: Tx, masterKey: MasterKey, wanted: WantedActivation) {
  const { workspaceId } = wanted.caller;
  const purchase = await lockOwnPurchase(tx, { workspaceId, purchaseId: wanted.purchaseId });
  const state = getPublicState(purchase);
  if (state !== 'active') throw fail(`purchase_${state}`);
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
    const room = { limit, moves: limits.moves, occupancy, isKnownHost };
    const refusal = await refuseWithoutRoom(tx, wanted, { seat, purchase, room });
    if (refusal) return { refusal };
  }
  wanted.onChange();
  const activation = await takeSeat(tx, wanted, { seat, purchase });
  await deleteExcess(tx, { ...of, keep: maxStored });
  if (activation.counts) {
    await recordEvent(tx, workspaceId, makeActivationEvent('activation.created', activation, wanted.now));
  }
  const used = occupancy.used + (activation.counts ? 1 : 0);
  return { activation, isNew: true, limit, used };
}

async function recordSeen(tx: Tx, { caller, now }: WantedActivation, known: Activation): Promise<Activation> {
  if (isSeenLately(known.lastSeenAt, now)) return known;
  await saveSeen(tx, { workspaceId: caller.workspaceId, activationId: known.id }, now);
  return { ...known, lastSeenAt: now };
}

/** Records that a host got no seat. Returns the error, or undefined if a seat is free. */
async function refuseWithoutRoom(
  tx: Tx,
  { target, now }: WantedActivation,
  given: { seat: SeatKey; purchase: ManagedPurchase; room: Parameters<typeof findRoom>[0] },
): Promise<ServiceError | undefined> {
  const { seat, purchase } = given;
  const { limit, moves, occupancy } = given.room;
  const room = findRoom(given.room);
  if (room.free) return undefined;
  const { code: reason } = room;
  const data = { limit, used: occupancy.used };
  const isNew = await saveRefusal(tx, {
    ...seat,
    at: now,
    since: new Date(now.getTime() - windowMs),
    againSince: new Date(now.getTime() - refusedAgainMs),
    keep: maxRefusals,
  });
  if (isNew) {
    const event = makeRefusalEvent({ purchase, kind: target.kind, reason, ...data }, now);
    await recordEvent(tx, seat.workspaceId, event);
  }
  if (room.code === 'activation_limit_reached') return fail(room.code, { data });
  return fail(room.code, { data: { ...data, moves, free_at: room.freeAt.toISOString() } });
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
