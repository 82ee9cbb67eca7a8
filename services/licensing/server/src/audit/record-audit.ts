// Records entries of the audit log in the transaction of the change that they describe.
import { getAuditSubject, listConcernedTenants } from '@counterfoil/identity/audit-log';
import type { SignInEvent } from '@counterfoil/identity/sessions/sign-in';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { AuditEvent } from './audit-event.ts';
import { insertAuditRow } from './store.ts';

export const recordAudit = (tx: Tx, event: AuditEvent): Promise<void> => insertAuditRow(tx, event);

/**
 * Records an event of the sign-in. An event that concerns a person but no workspace is recorded in each of
 * the person's workspaces.
 */
export async function recordSignIn(tx: Tx, event: SignInEvent): Promise<void> {
  for (const workspaceId of await listConcernedTenants(tx, event)) {
    await recordAudit(tx, {
      workspaceId,
      at: event.at,
      actor: { ...(event.actorId !== null && { personId: event.actorId }), address: event.address ?? '' },
      action: event.action,
      subject: getAuditSubject(event),
      details: event.details,
    });
  }
}
