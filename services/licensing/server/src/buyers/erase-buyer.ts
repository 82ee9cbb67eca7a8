// Erases a buyer's name, e-mail and hosts from a workspace's purchases; the purchases stay valid.

import { parseEmail } from '@counterfoil/identity/members/person';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { deleteMailTo } from '@counterfoil/mail/outbox/delete-mail-to';
import { eraseTargets } from '../activations/release-activation.ts';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { eraseBuyerData } from '../purchases/management/correct-buyer.ts';
import { findPurchase } from '../purchases/management/queries.ts';
import { refuseField } from '../wire/refusals.ts';
import { deleteTokensOf } from './store.ts';

/**
 * A request to erase a buyer. With `email`, the buyer is erased from all purchases with this e-mail. With
 * `purchaseId`, the buyer is erased from one purchase.
 */
export interface Erasure {
  readonly caller: Caller;
  readonly email: string | undefined;
  readonly purchaseId: bigint | undefined;
  readonly now: Date;
}

export async function eraseBuyer(tx: Tx, erasure: Erasure): Promise<number> {
  const { caller, now } = erasure;
  const { workspaceId } = caller;
  const by = readBuyer(erasure);
  const recipient = 'email' in by ? by.email : await findBuyerEmail(tx, workspaceId, by.purchaseId);
  const erased = await eraseBuyerData(tx, { workspaceId, by, at: now });
  // Messages to the buyer contain the address, so they are deleted too, even if they were not sent yet. They
  // are deleted after the purchases are locked: a transaction that queues a message holds the same lock.
  if (recipient) {
    await deleteMailTo(tx, { tenantId: workspaceId, recipient, kind: 'buyer_support_ending' });
  }
  const purchases = erased.length;
  // Host names may contain the buyer's name, so they are erased too. If the request names a purchase, the
  // hosts of this purchase are erased even if the buyer's data was erased before.
  const purchaseIds = 'purchaseId' in by ? [by.purchaseId] : erased;
  await eraseTargets(tx, { workspaceId, purchaseIds });
  if ('email' in by) await deleteTokensOf(tx, by.email);
  // The audit line must not contain the erased data. It must not contain a hash of the data either, because
  // the data could be found by hashing guesses.
  const subject = { kind: 'buyer', id: '' };
  await recordAudit(tx, { ...caller, at: now, action: 'buyer_erased', subject, details: { purchases } });
  return purchases;
}

const findBuyerEmail = async (tx: Tx, workspaceId: bigint, purchaseId: bigint) =>
  (await findPurchase(tx, { workspaceId, purchaseId }))?.buyerEmail?.toLowerCase();

function readBuyer({ email, purchaseId }: Erasure) {
  if ((email === undefined) === (purchaseId === undefined))
    throw refuseField('email', 'is required unless a purchase_id is given; give only one of them.');
  if (purchaseId !== undefined) return { purchaseId };
  const normal = email === undefined ? undefined : parseEmail(email);
  if (normal === undefined) throw refuseField('email', 'must be an e-mail address.');
  return { email: normal };
}
