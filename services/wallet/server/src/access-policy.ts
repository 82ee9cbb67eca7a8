// Three access policies for the same operations. Programs use a token; administrators and members use a
// session.

import { authorizeMember, managedRoute, type RequiredRole } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import { getSession, requireSession } from '@counterfoil/identity/sessions/require-session';
import { findRole, type Session } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { createRequestContext } from '@counterfoil/kit/http/request-context';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { AuthenticateAdmin } from './admin-tokens/authenticate-admin.ts';
import type { Actor } from './audit/audit-event.ts';
import { fail } from './errors.ts';
import { findPackageHome, type PackageHome } from './packages/queries.ts';
import { platformTenant } from './platform.ts';

/** The authorized sender of a request. */
export interface Principal {
  readonly actor: Actor;
  /** The session of a person; undefined for a program. */
  readonly session: Session | undefined;
  /** Whether the principal has all the rights of an owner. */
  readonly leads: boolean;
}

export interface AccessPolicy {
  readonly isAdmin: boolean;
  /** Whether a person in the panel sends the requests. This person can be asked for the password. */
  readonly isPanel: boolean;
  /**
   * The paths of platform routes start with `prefix`. The paths of routes of one package start with
   * `packagePath`.
   */
  readonly prefix: string;
  readonly packagePath: string;
  readonly security: Record<string, string[]>[];
  /** An `onRequest` hook for routes that name no package. */
  readonly authorize: onRequestAsyncHookHandler;
  /**
   * The hook for routes below `packagePath`. A request for the package of a different tenant gets the same
   * answer as a request for an unknown package.
   */
  readonly authorizeFor: (wanted: RequiredRole) => onRequestAsyncHookHandler;
}

const principals = createRequestContext<Principal>('principal');
const homes = createRequestContext<PackageHome>('package');

/** The principal that the `onRequest` hook authorized. */
export const getPrincipal = (request: object): Principal => principals.get(request);

/** The package that the URL names, and the tenant whose members may manage this package. */
export const getHome = (request: object): PackageHome => homes.get(request);

/** The id of the package that the URL names; undefined if the request was not authorized. */
export const findPackageId = (request: object): number | undefined => homes.find(request)?.packageId;

export const PackageParams = { package_id: Type.String() };

function findHome({ db }: SignIn, request: FastifyRequest): Promise<PackageHome | undefined> {
  const { package_id: text = '' } = request.params as { package_id?: string };
  return findPackageHome(db, text);
}

function createAdminPolicy(
  signIn: SignIn,
  policy: Pick<AccessPolicy, 'prefix' | 'isPanel' | 'security'> & {
    identify: (request: FastifyRequest) => Promise<Principal>;
  },
): AccessPolicy {
  const { identify, ...rest } = policy;
  const authorize = async (request: FastifyRequest) => {
    principals.set(request, await identify(request));
  };
  return {
    ...rest,
    isAdmin: true,
    packagePath: `${policy.prefix}/packages/:package_id`,
    authorize,
    authorizeFor: () => async (request) => {
      await authorize(request);
      const home = await findHome(signIn, request);
      if (!home) throw fail('package_not_found');
      homes.set(request, home);
    },
  };
}

export const createTokenPolicy = (signIn: SignIn, authenticate: AuthenticateAdmin): AccessPolicy =>
  createAdminPolicy(signIn, {
    prefix: '/admin/v1',
    isPanel: false,
    security: [{ adminToken: [] }],
    identify: async (request) => {
      const { id: tokenId } = await authenticate(request);
      const actor = { kind: 'admin_token', tokenId, address: request.ip } as const;
      return { actor, session: undefined, leads: true };
    },
  });

export function createAdministratorPolicy(signIn: SignIn): AccessPolicy {
  const requireSignedIn = requireSession(signIn);
  return createAdminPolicy(signIn, {
    prefix: '/panel/admin',
    isPanel: true,
    security: sessionSecurity,
    identify: async (request) => {
      await requireSignedIn(request);
      const session = getSession(request);
      if (findRole(session, platformTenant) !== 'administrator') throw fail('forbidden');
      const { personId } = session;
      const actor = { kind: 'administrator', personId, address: request.ip } as const;
      return { actor, session, leads: true };
    },
  });
}

export function createMemberPolicy(signIn: SignIn): AccessPolicy {
  const requireSignedIn = requireSession(signIn);
  const enter = (request: FastifyRequest, session: Session, leads: boolean) => {
    const { personId } = session;
    const actor = { kind: 'member', personId, address: request.ip } as const;
    principals.set(request, { actor, session, leads });
  };
  return {
    isAdmin: false,
    isPanel: true,
    prefix: '/panel',
    packagePath: '/panel/packages/:package_id',
    security: sessionSecurity,
    authorize: async (request) => {
      await requireSignedIn(request);
      enter(request, getSession(request), false);
    },
    authorizeFor: (wanted) => async (request) => {
      const { tenant, session, isOwner } = await authorizeMember(signIn, request, {
        ...wanted,
        findTenant: (each) => findHome(signIn, each),
        notFound: () => fail('package_not_found'),
      });
      homes.set(request, tenant);
      enter(request, session, isOwner);
    },
  };
}

export const failures = { '4xx': ErrorAnswer, '5xx': ErrorAnswer };

interface ManagedRoute<Data extends TSchema> {
  readonly summary: string;
  readonly description?: string;
  readonly data: Data;
}

/** Returns the parts of the schema that all management routes have. */
export const managed = <Data extends TSchema>(policy: AccessPolicy, route: ManagedRoute<Data>) =>
  managedRoute(policy, { ...route, tag: 'Administration', failures });

/** The options of a route that names no package. `input` has the schemas of its parameters and its body. */
export const platformRoute = <Data extends TSchema, Input extends object>(
  policy: AccessPolicy,
  route: ManagedRoute<Data>,
  input?: Input,
) => ({ schema: { ...managed(policy, route), ...(input as Input) }, onRequest: policy.authorize });

/**
 * The options of a route whose path begins with `packagePath`. `input` contains the schemas of the body and
 * the query.
 */
export const packageRoute = <Data extends TSchema, Input extends object>(
  policy: AccessPolicy,
  route: ManagedRoute<Data> & RequiredRole,
  input?: Input,
) => ({
  schema: { ...managed(policy, route), params: Type.Object(PackageParams), ...(input as Input) },
  onRequest: policy.authorizeFor(route),
});
