// Ends the mails about the support of a purchase, for the buyer who has the link of such a mail.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { lockPurchase, saveUnsubscribed } from './store.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

/** A repeated call changes nothing. A token of a former buyer is refused like a forged token. */
export async function unsubscribeBuyer(
  tx: Tx,
  { masterKey, token, now }: { masterKey: MasterKey; token: string; now: Date },
): Promise<void> {
  const claim = readUnsubscribeToken(masterKey, token);
  const purchase = claim && (await lockPurchase(tx, claim));
  if (!purchase || purchase.buyerEmail === undefined || !claim.isOf(purchase.buyerEmail)) {
    throw fail('link_invalid');
  }
  const { workspaceId, id: purchaseId } = purchase;
  if (!(await saveUnsubscribed(tx, { workspaceId, purchaseId }, now))) return;
  await recordAudit(tx, {
    workspaceId,
    at: now,
    actor: { isBuyer: true },
    action: 'purchase_mail_stopped',
    subject: { kind: 'purchase', id: String(purchaseId) },
    details: {},
  });
}
