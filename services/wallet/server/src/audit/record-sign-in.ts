// Records sign-in events in the audit log of the packages that they concern.

import { getAuditSubject, listConcernedTenants, listTenantsOf } from '@counterfoil/identity/audit-log';
import type { SignInEvent } from '@counterfoil/identity/sessions/sign-in';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { Actor } from './audit-event.ts';
import { recordAudit } from './record-audit.ts';

/**
 * Records an event that concerns a person, such as a sign-in. An event with a tenant is written to the log of
 * this tenant. Every other event is written to the logs of all tenants of the person. A tenant is a package,
 * or the platform as package 0.
 */
export async function recordSignIn(tx: Tx, event: SignInEvent, actor?: Actor): Promise<void> {
  const own = event.actorId === null ? [] : await listTenantsOf(tx, event.actorId);
  for (const tenantId of await listConcernedTenants(tx, event)) {
    await recordAudit(tx, {
      packageId: Number(tenantId),
      at: event.at,
      actor: actor ?? findActor(event, own, tenantId),
      action: event.action,
      subject: getAuditSubject(event),
      details: event.details,
    });
  }
}

/** A person who changes a package without being a member of the package is an administrator. */
function findActor(event: SignInEvent, own: readonly bigint[], tenantId: bigint): Actor {
  const { actorId, personId } = event;
  if (actorId === null) return { kind: 'operator' };
  const isMember = tenantId !== platformTenant && (own.includes(tenantId) || actorId === personId);
  const kind = isMember ? 'member' : 'administrator';
  return { kind, personId: actorId, address: event.address ?? '' };
}
