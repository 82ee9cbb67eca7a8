// Says whether an account may sell: purchases of one that may not are not validated.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { announceSellerChange } from '../workspaces/announce-seller-change.ts';
import { lockAccount, saveSeller } from './store.ts';

export async function setSeller(
  tx: Tx,
  given: { caller: Caller; isSeller: boolean; now: Date },
): Promise<void> {
  const { isSeller } = given;
  const { workspaceId, actor } = given.caller;
  const before = await lockAccount(tx, workspaceId);
  if (!before) throw new Error(`workspace ${workspaceId} has no account`);
  if (isSeller === before.isSeller) return;
  await saveSeller(tx, { workspaceId, isSeller });
  await announceSellerChange(tx, workspaceId);
  await recordAudit(tx, {
    workspaceId,
    at: given.now,
    actor,
    action: 'seller_set',
    subject: { kind: 'account', id: String(workspaceId) },
    details: { seller: isSeller },
  });
}
