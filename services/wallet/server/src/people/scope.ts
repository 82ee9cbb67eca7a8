// Where people belong: a package with its owners and members, or the platform with its administrators.
import type { MemberPrincipal, MemberScope } from '@counterfoil/identity/members/register-members';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { type Door, getHome, getVisitor, managed, PackageParams } from '../access-policy.ts';
import type { Actor } from '../audit/audit-event.ts';
import { recordSignIn } from '../audit/record-sign-in.ts';
import { platformTenant } from '../platform.ts';

/** Sign-in use cases whose changes are recorded in the name of the given actor. */
export const actAs = (signIn: SignIn, actor: Actor): SignIn => ({
  ...signIn,
  audit: (tx, event) => {
    const rest = { tenantId: null, address: null, details: {} };
    return recordSignIn(tx, { ...rest, ...event, at: signIn.now() }, actor);
  },
});

/** The people of a sandbox are those of the package that it belongs to. */
export const createPackageScope = (door: Door, signIn: SignIn): MemberScope => ({
  ...createScope(door, signIn, (request) => getHome(request).tenantId),
  members: `${door.packagePath}/members`,
  invitations: `${door.packagePath}/invitations`,
  params: PackageParams,
  roles: ['owner', 'member'],
  authorize: door.admitTo,
});

export const createPlatformScope = (door: Door, signIn: SignIn): MemberScope => ({
  ...createScope(door, signIn, () => platformTenant),
  members: `${door.prefix}/administrators`,
  invitations: `${door.prefix}/administrator-invitations`,
  params: {},
  roles: ['administrator'],
  authorize: () => door.admit,
});

type Shared = Pick<MemberScope, 'namesShapes' | 'schema' | 'principalOf' | 'presentTime'>;

function createScope(
  door: Door,
  signIn: SignIn,
  tenantOf: (request: FastifyRequest) => bigint,
): Shared {
  return {
    namesShapes: false,
    schema: (summary, data) => managed(door, { summary, data }),
    principalOf: (request): MemberPrincipal => {
      const { actor, session, leads } = getVisitor(request);
      return {
        tenantId: tenantOf(request),
        personId: session?.personId ?? null,
        isOwner: leads,
        signIn: actAs(signIn, actor),
      };
    },
    presentTime: (time) => time.toISOString(),
  };
}
