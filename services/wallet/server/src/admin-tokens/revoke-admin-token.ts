// Ends a token: the next call with it is refused, in every process.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { platformTenant } from '../platform.ts';
import { lockToken, saveTokenRevoked } from './store.ts';

/** Revoking again changes nothing. */
export async function revokeAdminToken(
  tx: Tx,
  target: { id: bigint; actor: Actor; at: Date },
): Promise<void> {
  const { id, actor, at } = target;
  const token = await lockToken(tx, id);
  if (!token) throw fail('admin_token_not_found');
  if (token.revokedAt) return;
  await saveTokenRevoked(tx, id, at);
  await recordAudit(tx, {
    packageId: Number(platformTenant),
    at,
    actor,
    action: 'admin_token_revoked',
    subject: { kind: 'admin_token', id: String(id) },
    details: { name: token.name },
  });
}
