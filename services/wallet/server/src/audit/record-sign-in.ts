// Brings what happens at the sign-in desk into the audit log of the packages it concerns.

import type { SignInEvent } from '@counterfoil/identity/audit';
import { listMemberships } from '@counterfoil/identity/members/list-memberships';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { Actor } from './audit-event.ts';
import { recordAudit } from './record-audit.ts';

/** What concerns a person as such stands in each of their packages; the platform is package 0. */
export async function recordSignIn(tx: Tx, event: SignInEvent, actor?: Actor): Promise<void> {
  const own = event.actorId === null ? [] : await listTenants(tx, event.actorId);
  for (const tenantId of await listConcerned(tx, event)) {
    await recordAudit(tx, {
      packageId: Number(tenantId),
      at: event.at,
      actor: actor ?? findActor(event, own, tenantId),
      action: event.action,
      subject: getSubject(event),
      details: event.details,
    });
  }
}

async function listTenants(tx: Tx, personId: bigint): Promise<bigint[]> {
  const memberships = await listMemberships(tx, personId);
  return memberships.map((membership) => membership.tenantId);
}

async function listConcerned(tx: Tx, event: SignInEvent): Promise<bigint[]> {
  if (event.tenantId !== null) return [event.tenantId];
  return event.personId === null ? [] : await listTenants(tx, event.personId);
}

/** Whoever acts on a package without being of it is an administrator. */
function findActor(event: SignInEvent, own: readonly bigint[], tenantId: bigint): Actor {
  const { actorId, personId } = event;
  if (actorId === null) return { kind: 'operator' };
  const isMember = tenantId !== platformTenant && (own.includes(tenantId) || actorId === personId);
  const kind = isMember ? 'member' : 'administrator';
  return { kind, personId: actorId, address: event.address ?? '' };
}

/** An invitation goes by its e-mail: the log must not tell whether a person of that name exists. */
function getSubject(event: SignInEvent): { kind: string; id: string } {
  if (event.action === 'invitation_made' || event.action === 'invitation_withdrawn') {
    return { kind: 'invitation', id: event.details.email ?? '' };
  }
  return { kind: 'person', id: String(event.personId ?? '') };
}
