// Records a sale and issues its code; a repeated request returns the existing purchase.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Static } from 'typebox';
import type { Actor, Caller } from '../../audit/audit-event.ts';
import { fail } from '../../errors.ts';
import { getOwnItem } from '../../items/management/queries.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { getSupportMonths } from '../../workspaces/queries.ts';
import { hashCode, makeCode, toStoredCode } from '../code.ts';
import { auditPurchase, makePurchaseEvent } from '../purchase-event.ts';
import { insertPurchase, type NewSale, type PurchaseRecord } from '../store.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import {
  describeSale,
  hashForRepetition,
  isSameSale,
  type NewPurchaseInput,
  readSale,
} from './purchase-input.ts';
import {
  findByIdempotencyKey,
  getPurchase,
  selectPooled,
  selectPurchaseOnce,
  selectRetired,
} from './queries.ts';

export type NewPurchase = NewSale & {
  /** The seller's own code. By default a code is generated. */
  readonly code?: string | undefined;
  /** When the sale was recorded; by default now. */
  readonly recordedAt?: Date;
  /** The pool that handed out the code. */
  readonly poolId?: bigint;
};

/** Records the sale that a request or a command describes. */
export async function recordSale(
  tx: Tx,
  masterKey: MasterKey,
  wanted: {
    caller: Caller;
    input: Static<typeof NewPurchaseInput>;
    itemId: bigint;
    idempotencyKey: string | undefined;
    now: () => Date;
  },
): Promise<ManagedPurchase> {
  const { input, idempotencyKey } = wanted;
  const { workspaceId, actor } = wanted.caller;
  const item = await getOwnItem(tx, { workspaceId, itemId: wanted.itemId });
  const supportMonths = await getSupportMonths(tx, workspaceId);
  const sale = readSale(input, item, { now: wanted.now(), supportMonths });
  if (sale.code !== undefined) await refusePooledCode(tx, hashCode(masterKey, sale.code), workspaceId);
  return issuePurchaseOnce(tx, masterKey, sale, {
    actor,
    idempotencyKey,
    input: describeSale(input),
    matches: (known) => isSameSale(input, sale, known),
  });
}

/** A code that waits in a pool is handed out only by a draw from the pool. */
async function refusePooledCode(tx: Tx, codeHash: Buffer, workspaceId: bigint): Promise<void> {
  const pooled = await selectPooled(tx, { workspaceId, hashes: [codeHash.toString('hex')] });
  if (pooled.length > 0) throw fail('purchase_code_taken');
}

/** The facts by which a repeated request is distinguished from a new sale. */
interface Repetition {
  readonly actor: Actor;
  readonly idempotencyKey: string | undefined;
  /**
   * The input as a canonical text. A hash of this text shows whether a repeated request has the same input.
   */
  readonly input: string;
  /** Whether a stored purchase has the values of the request. */
  readonly matches: (known: ManagedPurchase) => boolean;
}

/** Records a sale. The default actor is an operator at the command line. */
export async function issuePurchase(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase,
  actor: Actor = {},
): Promise<{ id: bigint; code: string }> {
  const code = sale.code ?? makeCode();
  const id = await insertSale(tx, masterKey, { ...sale, code }, actor);
  if (id === undefined) throw fail('purchase_code_taken');
  return { id, code };
}

/**
 * Records a sale once. If a purchase with the same Idempotency-Key exists, returns that purchase. The same
 * applies if the seller chose the code and a purchase with this code exists. Throws if that purchase differs
 * from the given sale.
 */
export async function issuePurchaseOnce(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase,
  repetition: Repetition,
): Promise<ManagedPurchase> {
  const { workspaceId } = sale;
  const code = sale.code ?? makeCode();
  const request = hashRequest(masterKey, repetition);
  const id = await insertSale(tx, masterKey, { ...sale, code }, repetition.actor, request);
  if (id !== undefined) return getPurchase(tx, { workspaceId, purchaseId: id });
  const codeHash = hashCode(masterKey, code);
  const known = await selectPurchaseOnce(tx, { workspaceId, codeHash, request });
  if (!known) throw new Error('the purchase was neither inserted nor found');
  if (request && known.inputHash?.equals(request.inputHash)) return known;
  const isSameCode = sale.code !== undefined && known.codeHash.equals(codeHash);
  if (!isSameCode) throw fail('idempotency_conflict');
  if (!repetition.matches(known)) throw fail('purchase_code_taken');
  return known;
}

/**
 * Finds the purchase of an earlier request with the same Idempotency-Key. Throws if that request had other
 * content.
 */
export async function findRepeatedSale(
  tx: Tx,
  masterKey: MasterKey,
  of: Pick<Repetition, 'idempotencyKey' | 'input'> & { readonly workspaceId: bigint },
): Promise<ManagedPurchase | undefined> {
  const request = hashRequest(masterKey, of);
  const known = request && (await findByIdempotencyKey(tx, of.workspaceId, request.idempotencyHash));
  if (known && !known.inputHash?.equals(request.inputHash)) throw fail('idempotency_conflict');
  return known;
}

function hashRequest(
  masterKey: MasterKey,
  { idempotencyKey, input }: Pick<Repetition, 'idempotencyKey' | 'input'>,
) {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotencyHash: hashForRepetition(masterKey, idempotencyKey),
    inputHash: hashForRepetition(masterKey, input),
  };
}

async function insertSale(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase & { code: string },
  actor: Actor,
  request?: PurchaseRecord['request'],
): Promise<bigint | undefined> {
  const { workspaceId, itemId, licenseType, state = 'active', supportedUntil } = sale;
  const code = toStoredCode(masterKey, sale.code);
  const now = sale.recordedAt ?? new Date();
  const id = await insertPurchase(tx, sale, { code, request, at: now });
  if (id === undefined) return undefined;
  // The item is checked after the insert, so that only the items of new sales are checked. A repeated request
  // returns the stored purchase, even if its item could not be sold now. An item that was never published
  // cannot be sold, because its codes would not be valid. A withdrawn item can be sold.
  const item = await getOwnItem(tx, { workspaceId, itemId });
  if (!item.publishedAt) throw fail('item_not_published');
  // Another transaction may be replacing this code at the same time, and the insert waits for it. So the
  // replaced codes are looked up only after the insert.
  const retired = await selectRetired(tx, { workspaceId, hashes: [code.hash.toString('hex')] });
  if (retired.length > 0) throw fail('purchase_code_taken');
  const target = { caller: { workspaceId, actor }, purchaseId: id, now };
  const ofPool = sale.poolId !== undefined && { pool_id: Number(sale.poolId) };
  const details = { item_id: Number(itemId), license_type: licenseType, ...ofPool };
  await auditPurchase(tx, target, 'purchase_issued', details);
  const purchase = { ...sale, id, state, supportedUntil };
  await recordEvent(tx, workspaceId, makePurchaseEvent('purchase.issued', purchase, now));
  return id;
}
