// The scopes of memberships: a package with owners and members, and the platform with administrators.
import type { MemberPrincipal, MemberScope } from '@counterfoil/identity/members/register-members';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { type AccessPolicy, getHome, getPrincipal, managed, PackageParams } from '../access-policy.ts';
import type { Actor } from '../audit/audit-event.ts';
import { recordSignIn } from '../audit/record-sign-in.ts';
import { platformTenant } from '../platform.ts';

/** Returns a copy of `signIn` for one actor. The audit log records this actor for every change. */
export const actAs = (signIn: SignIn, actor: Actor): SignIn => ({
  ...signIn,
  audit: (tx, event) => {
    const rest = { tenantId: null, address: null, details: {} };
    return recordSignIn(tx, { ...rest, ...event, at: signIn.now() }, actor);
  },
});

/** A sandbox has the owners and members of its real package. */
export const createPackageScope = (policy: AccessPolicy, signIn: SignIn): MemberScope => ({
  ...createScope(policy, signIn, (request) => getHome(request).tenantId),
  members: `${policy.packagePath}/members`,
  invitations: `${policy.packagePath}/invitations`,
  params: PackageParams,
  roles: ['owner', 'member'],
  authorize: policy.authorizeFor,
});

export const createPlatformScope = (policy: AccessPolicy, signIn: SignIn): MemberScope => ({
  ...createScope(policy, signIn, () => platformTenant),
  members: `${policy.prefix}/administrators`,
  invitations: `${policy.prefix}/administrator-invitations`,
  params: {},
  roles: ['administrator'],
  authorize: () => policy.authorize,
});

type Shared = Pick<MemberScope, 'namesShapes' | 'schema' | 'principalOf' | 'presentTime'>;

function createScope(
  policy: AccessPolicy,
  signIn: SignIn,
  tenantOf: (request: FastifyRequest) => bigint,
): Shared {
  return {
    namesShapes: false,
    schema: (summary, data) => managed(policy, { summary, data }),
    principalOf: (request): MemberPrincipal => {
      const { actor, session, leads } = getPrincipal(request);
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
