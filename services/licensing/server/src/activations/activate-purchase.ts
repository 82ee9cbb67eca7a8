// Activates a purchase at a place: once per place, within the licence's limit, one after the other.
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

/** How many places that take no slot are remembered per purchase. */
const maxStored = 100;
/** A place that asks all day long is written down once an hour. */
const seenEveryMs = 3_600_000;

export interface WantedActivation {
  readonly caller: Caller;
  readonly purchaseId: bigint;
  readonly target: Target;
  readonly now: Date;
  /** Called before something new is written; throws where a purchase changes too often. */
  readonly onChange: () => void;
}

export interface Activated {
  readonly activation: Activation;
  /** Whether this call made the place active. */
  readonly isNew: boolean;
  readonly limit: number;
  readonly used: number;
}

/** The purchase stays locked to the end: of two hosts that want the last place one is too late. */
export const activatePurchase = (
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  wanted: WantedActivation,
): Promise<Activated> =>
  db.transaction(async (tx) => {
    const { workspaceId } = wanted.caller;
    const purchase = await lockOwnPurchase(tx, { workspaceId, purchaseId: wanted.purchaseId });
    if (purchase.state !== 'active') throw fail(`purchase_${purchase.state}`);
    const targetHash = hashTarget(masterKey, wanted);
    const place = { workspaceId, purchaseId: purchase.id, targetHash };
    const known = await selectActivationAt(tx, place);
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
    const activation = await takeSeat(tx, wanted, { place, purchase });
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

/** A buyer who asked to be forgotten is not named again by where their copy runs. */
async function takeSeat(
  tx: Tx,
  { caller, target, now }: WantedActivation,
  { place, purchase }: { place: SeatKey; purchase: ManagedPurchase },
): Promise<Activation> {
  const isNamed = purchase.buyerErasedAt === undefined;
  await saveActive(tx, { ...place, target, isNamed, at: now });
  const activation = await selectActivationAt(tx, place);
  if (!activation) throw new Error('an activation is gone in the transaction that made it');
  // Free places come and go by themselves, and would bury what a seller looks for. No line names
  // the place: it could not be erased there.
  if (!target.counts) return activation;
  await recordAudit(tx, {
    workspaceId: place.workspaceId,
    at: now,
    actor: caller.actor,
    action: 'purchase_activated',
    subject: { kind: 'purchase', id: String(place.purchaseId) },
    details: { activation_id: Number(activation.id), kind: target.kind },
  });
  return activation;
}
