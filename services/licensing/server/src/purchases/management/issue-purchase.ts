// Records a sale and gives it a purchase code; the same sale sent again is found, not made again.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { findItem } from '../../items/queries.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { hashCode, makeCode, makeCodeHint, sealCode } from '../code.ts';
import type { LicenseType, PurchaseState } from '../purchase.ts';
import { makePurchaseEvent } from '../purchase-event.ts';
import { insertPurchaseRow } from '../store.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { hashForRepetition } from './purchase-input.ts';
import { findPurchase, isRetired, selectPurchaseOnce } from './queries.ts';

export interface NewPurchase {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  /** A code of the seller's own; a fresh one is made where none is given. */
  readonly code?: string;
  readonly state?: PurchaseState;
  readonly supportedUntil?: Date;
  readonly downloadedAt?: Date;
  readonly purchasedAt: Date;
  /** When we heard of it; now, where nothing is said. */
  readonly recordedAt?: Date;
  readonly buyerName?: string;
  readonly buyerEmail?: string;
}

/** How a repetition is told from another sale. */
export interface Repetition {
  readonly idempotencyKey: string | undefined;
  /** What the caller sent, as one text. */
  readonly input: string;
  /** Whether a purchase of the same code is the one that was sent. */
  readonly matches: (known: ManagedPurchase) => boolean;
}

/** Without an actor it was somebody at the command line. */
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

/** The same again where the sale is known, by its Idempotency-Key or by the seller's own code. */
export async function issuePurchaseOnce(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase,
  { actor, ...repetition }: Repetition & { actor: Actor },
): Promise<ManagedPurchase> {
  const { workspaceId } = sale;
  const code = sale.code ?? makeCode();
  const request = hashRequest(masterKey, repetition);
  const id = await insertSale(tx, masterKey, { ...sale, code }, actor, request);
  if (id !== undefined) return getInserted(tx, { workspaceId, purchaseId: id });
  const known = await selectPurchaseOnce(tx, {
    workspaceId,
    codeHash: hashCode(masterKey, code),
    idempotencyHash: request?.idempotencyHash,
  });
  if (!known) throw new Error('a sale neither new nor known');
  if (request && known.inputHash?.equals(request.inputHash)) return known;
  const isSameCode = sale.code !== undefined && known.codeHash.equals(hashCode(masterKey, code));
  if (!isSameCode) throw fail('idempotency_conflict');
  if (!repetition.matches(known)) throw fail('purchase_code_taken');
  return known;
}

function hashRequest(masterKey: MasterKey, { idempotencyKey, input }: Repetition) {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotencyHash: hashForRepetition(masterKey, idempotencyKey),
    inputHash: hashForRepetition(masterKey, input),
  };
}

async function getInserted(tx: Tx, key: { workspaceId: bigint; purchaseId: bigint }) {
  const purchase = await findPurchase(tx, key);
  if (!purchase) throw new Error('a purchase is gone in the transaction that made it');
  return purchase;
}

async function insertSale(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase & { code: string },
  actor: Actor,
  request?: { idempotencyHash: Buffer; inputHash: Buffer },
): Promise<bigint | undefined> {
  const { workspaceId, code } = sale;
  const codeHash = hashCode(masterKey, code);
  const now = sale.recordedAt ?? new Date();
  const id = await insertPurchaseRow(tx, {
    ...sale,
    codeHash,
    codeSealed: sealCode(masterKey, code, codeHash),
    codeHint: makeCodeHint(code),
    state: sale.state ?? 'active',
    supportedUntil: sale.supportedUntil,
    downloadedAt: sale.downloadedAt,
    buyerName: sale.buyerName,
    buyerEmail: sale.buyerEmail,
    request,
    createdAt: now,
  });
  if (id === undefined) return undefined;
  // After the insertion: a sale that is known already is found again, whatever its item.
  await requirePublished(tx, { workspaceId, itemId: sale.itemId });
  // After it too: the insertion waits for a replacement of this code that is under way.
  if (await isRetired(tx, { workspaceId, codeHash })) throw fail('purchase_code_taken');
  await recordAudit(tx, {
    workspaceId,
    at: now,
    actor,
    action: 'purchase_issued',
    subject: { kind: 'purchase', id: String(id) },
    details: { item_id: Number(sale.itemId), license_type: sale.licenseType },
  });
  const { state = 'active', supportedUntil } = sale;
  const purchase = { ...sale, id, state, supportedUntil };
  await recordEvent(tx, workspaceId, makePurchaseEvent('purchase.issued', purchase, now));
  return id;
}

/** A code of an item that was never published would not validate. A withdrawn item may still be sold. */
async function requirePublished(
  tx: Tx,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<void> {
  const item = await findItem(tx, key);
  if (!item) throw fail('item_not_found');
  if (!item.publishedAt) throw fail('item_not_published');
}
