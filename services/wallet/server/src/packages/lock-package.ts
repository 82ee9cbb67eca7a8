// Locks a package for a change, and announces the change to all processes, the upstream and the audit logs.

import { requirePassword } from '@counterfoil/identity/passwords/check-password';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { notify } from '@counterfoil/kit/postgres/notifications';
import type { FastifyRequest } from 'fastify';
import { getHome, getPrincipal } from '../access-policy.ts';
import type { Actor, AuditEvent } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ManagedPackage } from './managed-package.ts';
import { getManagedPackage } from './queries.ts';
import { requestRegistration } from './registration-store.ts';
import { lockPackageRow } from './store.ts';

/** The package that is changed, the author of the change and the time. */
export interface PackageTarget {
  readonly packageId: number;
  readonly actor: Actor;
  readonly at: Date;
}

export async function lockPackage(tx: Tx, packageId: number): Promise<ManagedPackage> {
  await lockPackageRow(tx, packageId);
  return getManagedPackage(tx, packageId);
}

type PackageEvent = Pick<AuditEvent, 'action' | 'details'> & Partial<Pick<AuditEvent, 'subject'>>;

/**
 * Every change of a package or of its credentials must end with this call, in the transaction of the change.
 * The call notifies every process and requests a registration at the upstream. It also writes to the audit
 * logs of the package and of the platform.
 */
export async function recordPackageChange(
  tx: Tx,
  target: PackageTarget & { uid: string },
  event: PackageEvent,
): Promise<void> {
  await announcePackageChange(tx, target.uid);
  await requestRegistration(tx, target);
  await recordPlatformEvent(tx, target, event);
}

/** Records a change in the logs of the package and of the platform, even if a member made the change. */
export const recordPlatformEvent = (tx: Tx, target: PackageTarget, event: PackageEvent): Promise<void> =>
  recordAudit(tx, describeEvent(target, event), { concernsPlatform: true });

/**
 * Writes an audit event about an action that does not change the package. An example is showing a secret
 * again.
 */
export const recordPackageEvent = (tx: Tx, target: PackageTarget, event: PackageEvent): Promise<void> =>
  recordAudit(tx, describeEvent(target, event));

const describeEvent = ({ packageId, at, actor }: PackageTarget, event: PackageEvent): AuditEvent => ({
  packageId,
  at,
  actor,
  subject: { kind: 'package', id: String(packageId) },
  ...event,
});

export interface ManagementDeps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

/** The package, the actor and the time of a request to a management route. */
export const targetOf = (deps: Pick<ManagementDeps, 'now'>, request: FastifyRequest): PackageTarget => ({
  packageId: getHome(request).packageId,
  actor: getPrincipal(request).actor,
  at: deps.now(),
});

/**
 * Checks the password of the person who sent the request. Only routes of the panel may call this, because a
 * program has no password.
 */
export async function askPassword(
  { signIn }: Pick<ManagementDeps, 'signIn'>,
  request: FastifyRequest,
  password: string,
): Promise<void> {
  const { session } = getPrincipal(request);
  if (!session) throw new Error('only a person can be asked for a password');
  await requirePassword(signIn, { personId: session.personId, password });
}

export const packageChannel = 'packages';

const changesOf = new WeakMap<Queryable, string[]>();

/**
 * Returns a list that is empty at first. While the transaction runs, the UID of each changed package is added
 * to this list.
 */
export function collectChanges(tx: Tx): string[] {
  const changed: string[] = [];
  changesOf.set(tx, changed);
  return changed;
}

/** Invalidates the cached package in every process when the transaction of the change commits. */
export async function announcePackageChange(db: Queryable, uid: string): Promise<void> {
  changesOf.get(db)?.push(uid);
  await notify(db, packageChannel, uid);
}
