// Brings what happens at the sign-in desk into the audit log of the workspaces it concerns.

import type { SignInEvent } from '@counterfoil/identity/audit';
import { listMemberships } from '@counterfoil/identity/members/list-memberships';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { recordAudit } from './record-audit.ts';

/** What concerns a person as such stands in each of their workspaces. */
export async function recordSignIn(tx: Tx, event: SignInEvent): Promise<void> {
  for (const workspaceId of await listConcerned(tx, event)) {
    await recordAudit(tx, {
      workspaceId,
      at: event.at,
      actor: {
        ...(event.actorId !== null && { personId: event.actorId }),
        address: event.address ?? '',
      },
      action: event.action,
      subject: getSubject(event),
      details: event.details,
    });
  }
}

async function listConcerned(tx: Tx, event: SignInEvent): Promise<bigint[]> {
  if (event.tenantId !== null) return [event.tenantId];
  if (event.personId === null) return [];
  const memberships = await listMemberships(tx, event.personId);
  return memberships.map((membership) => membership.tenantId);
}

/** An invitation goes by its e-mail: the log must not tell whether a person of that name exists. */
function getSubject(event: SignInEvent): { kind: string; id: string } {
  if (event.action === 'invitation_made' || event.action === 'invitation_withdrawn') {
    return { kind: 'invitation', id: event.details.email ?? '' };
  }
  return { kind: 'person', id: String(event.personId ?? '') };
}
