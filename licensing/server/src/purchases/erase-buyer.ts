// Erases a buyer's name and e-mail from all of a workspace's purchases; the purchases stay valid.
import type { Tx } from '@counterfoil/kit/db';
import { parseEmail } from '@counterfoil/kit/sign-in/person';
import { recordAudit } from '../audit/record-audit.ts';
import type { Caller } from '../door.ts';
import { fail } from '../errors.ts';
import { saveBuyerErased } from './managed-store.ts';

export async function eraseBuyer(
  tx: Tx,
  { caller, email, now }: { caller: Caller; email: string; now: Date },
): Promise<number> {
  const normal = parseEmail(email);
  if (normal === undefined)
    throw fail('invalid_parameter', { errors: { email: ['must be an e-mail address.'] } });
  const { workspaceId, actor } = caller;
  const purchases = await saveBuyerErased(tx, { workspaceId, email: normal, at: now });
  // The line must not keep what was erased, nor anything it could be found by.
  await recordAudit(tx, {
    workspaceId,
    at: now,
    actor,
    action: 'buyer_erased',
    subject: { kind: 'buyer', id: '' },
    details: { purchases },
  });
  return purchases;
}
