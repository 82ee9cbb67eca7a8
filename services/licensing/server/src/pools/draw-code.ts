// Hands out the next free code of a pool as an ordinary purchase. A repeated request returns the same
// purchase. The draws of a pool run one after another, in all processes: each of them locks the pool first.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import { createPermits } from '@counterfoil/kit/concurrency/permits';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { formatMinor } from '@counterfoil/kit/money';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { mailOwners } from '../mail/mail-owners.ts';
import { unsealCode } from '../purchases/code.ts';
import { findRepeatedSale, issuePurchaseOnce } from '../purchases/management/issue-purchase.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { BuyerInput, describeSale, readSale } from '../purchases/management/purchase-input.ts';
import { recordEvent } from '../webhooks/events.ts';
import { getSupportMonths, getWorkspace } from '../workspaces/queries.ts';
import { makeLowStockEvent, type Pool, takeOne } from './pool.ts';
import { keyOf, type PoolToChange } from './pool-audit.ts';
import { selectNextCode } from './queries.ts';
import { lockPool, saveAssigned, savePool } from './store.ts';

export const DrawInput = Type.Object({ buyer: Type.Optional(BuyerInput) });

interface Draw extends PoolToChange {
  readonly input: Static<typeof DrawInput>;
  readonly idempotencyKey: string | undefined;
}

interface Deps {
  readonly masterKey: MasterKey;
  readonly mailer: Mailer;
}

export type DrawCode = (draw: Draw) => Promise<ManagedPurchase>;

/** The maximum number of draws of one pool that run or wait in one process. */
const maxWaiting = 200;
/**
 * A draw that has waited longer is refused when its turn comes. Otherwise the time limits of the draws before
 * it would add up: while PostgreSQL does not respond, each of them takes the time limit of a statement.
 */
const maxWaitMs = deadlineMs(10_000);

/**
 * Returns the function that runs the draws of this process, one at a time per pool. A waiting draw has no
 * database connection. Otherwise the draws of one pool could occupy all connections of the process while they
 * wait for the lock of the pool.
 */
export function createDraw(deps: Deps & { readonly db: Db; readonly monotonicMs: () => number }): DrawCode {
  const { db, monotonicMs } = deps;
  const permits = createPermits({ each: maxWaiting, all: Number.POSITIVE_INFINITY });
  const run = async ({ draw, since }: { draw: Draw; since: number }): Promise<ManagedPurchase> => {
    if (monotonicMs() - since > maxWaitMs) throw fail('overloaded');
    return db.transaction((tx) => drawCode(tx, deps, draw));
  };
  const inOrder = createCoalescer<Parameters<typeof run>[0], ManagedPurchase>({
    maxBatch: 1,
    load: (_pool, waiting) => Promise.all(waiting.map(run)),
  });
  return async (draw) => {
    const pool = `${draw.caller.workspaceId} ${draw.poolId}`;
    const release = permits.acquire(pool);
    if (!release) throw fail('overloaded');
    return inOrder(pool, { draw, since: monotonicMs() }).finally(release) as Promise<ManagedPurchase>;
  };
}

async function drawCode(tx: Tx, { masterKey, mailer }: Deps, draw: Draw): Promise<ManagedPurchase> {
  const key = keyOf(draw);
  const { workspaceId } = key;
  const pool = await lockPool(tx, key);
  const sale = await readDraw(tx, pool, draw);
  const repetition = {
    actor: draw.caller.actor,
    idempotencyKey: draw.idempotencyKey,
    // The id of the pool is part of the input. So a key that was used for another pool or for a sale without
    // a pool is refused.
    input: `draw from pool ${pool.id}: ${describeSale({ item_id: String(pool.itemId), ...draw.input })}`,
    matches: () => false,
  };
  // The pool is locked, so a request with the same Idempotency-Key has either ended or not yet begun to draw.
  const repeated = await findRepeatedSale(tx, masterKey, { workspaceId, ...repetition });
  if (repeated) return repeated;
  const free = await selectNextCode(tx, key);
  if (!free) throw fail('pool_empty');
  const code = unsealCode(masterKey, free.codeSealed, free.codeHash);
  const purchase = await issuePurchaseOnce(tx, masterKey, { ...sale, code, poolId: pool.id }, repetition);
  await saveAssigned(tx, { workspaceId, codeHash: free.codeHash, purchaseId: purchase.id });
  const after = takeOne(pool, draw.now);
  await savePool(tx, after);
  if (after.lowStockAt && !pool.lowStockAt) await reportLowStock(tx, mailer, { pool: after, at: draw.now });
  return purchase;
}

async function readDraw(tx: Tx, pool: Pool, { input, now }: Draw) {
  const { workspaceId, itemId, licenseType, priceMinor, currency } = pool;
  const item = await getOwnItem(tx, { workspaceId, itemId });
  const supportMonths = pool.supportMonths ?? (await getSupportMonths(tx, workspaceId));
  const price = formatMinor(priceMinor, currency);
  const terms = { item_id: String(itemId), license_type: licenseType, price, currency };
  return readSale({ ...terms, ...input }, item, { now, supportMonths });
}

async function reportLowStock(tx: Tx, mailer: Mailer, { pool, at }: { pool: Pool; at: Date }): Promise<void> {
  const { workspaceId, id, name, lowStockBelow: threshold } = pool;
  const { name: workspace } = await getWorkspace(tx, workspaceId);
  const url = `${mailer.sender.publicUrl}/w/${workspaceId}/pools/${id}`;
  const values = { workspace, pool: name, free: Number(pool.freeCount), threshold, url };
  await mailOwners(mailer, tx, workspaceId, { kind: 'pool_low', values });
  await recordEvent(tx, workspaceId, makeLowStockEvent(pool, at));
}
