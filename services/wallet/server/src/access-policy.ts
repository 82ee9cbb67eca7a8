// Three doors to the same verbs: programs by token, administrators and package members by session.

import { Answer, sessionSecurity } from '@counterfoil/identity/answers';
import { getSession, requireSession } from '@counterfoil/identity/sessions/require-session';
import { findRole, type Session } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { AuthenticateAdmin } from './admin-tokens/authenticate-admin.ts';
import type { Actor } from './audit/audit-event.ts';
import { fail } from './errors.ts';
import { findPackageHome, type PackageHome } from './packages/queries.ts';
import { platformTenant } from './platform.ts';

/** Who came in, and by what right. */
export interface Visitor {
  readonly actor: Actor;
  /** Absent for a program. */
  readonly session: Session | undefined;
  /** May do what owners may. */
  readonly leads: boolean;
}

export interface Door {
  readonly isAdmin: boolean;
  /** A person stands there, who can be asked for the password. */
  readonly isPanel: boolean;
  /** Routes of the platform begin with this; of one package, with the path below. */
  readonly prefix: string;
  readonly packagePath: string;
  readonly security: Record<string, string[]>[];
  /** An `onRequest` hook for routes that name no package. */
  readonly admit: onRequestAsyncHookHandler;
  /** The same below `packagePath`. A foreign package answers exactly like an unknown one. */
  readonly admitTo: (wanted: { role: 'owner' | 'member' }) => onRequestAsyncHookHandler;
}

interface DoorDeps {
  readonly signIn: SignIn;
}

const visitors = new WeakMap<object, Visitor>();
const homes = new WeakMap<object, PackageHome>();

/** The visitor that the hook let in; on a route without the hook that is a mistake of ours. */
export function getVisitor(request: object): Visitor {
  const visitor = visitors.get(request);
  if (!visitor) throw new Error('getVisitor on a route without a door');
  return visitor;
}

/** The package in the address, and whose members count for it. */
export function getHome(request: object): PackageHome {
  const home = homes.get(request);
  if (!home) throw new Error('getHome on a route that names no package');
  return home;
}

/** Of the package in the address; undefined where nobody was let in. */
export const findPackageId = (request: object): number | undefined => homes.get(request)?.packageId;

export const PackageParams = { package_id: Type.String() };

async function findHome(signIn: SignIn, request: FastifyRequest): Promise<PackageHome | undefined> {
  const { package_id: text = '' } = request.params as { package_id?: string };
  return await findPackageHome(signIn.db, text);
}

function createAdminDoor(
  deps: DoorDeps,
  door: Pick<Door, 'prefix' | 'isPanel' | 'security'> & {
    identify: (request: FastifyRequest) => Promise<Visitor>;
  },
): Door {
  const { identify, ...rest } = door;
  const admit = async (request: FastifyRequest) => {
    visitors.set(request, await identify(request));
  };
  return {
    ...rest,
    isAdmin: true,
    packagePath: `${door.prefix}/packages/:package_id`,
    admit,
    admitTo: () => async (request) => {
      await admit(request);
      const home = await findHome(deps.signIn, request);
      if (!home) throw fail('package_not_found');
      homes.set(request, home);
    },
  };
}

export const createTokenDoor = (deps: DoorDeps & { authenticate: AuthenticateAdmin }): Door =>
  createAdminDoor(deps, {
    prefix: '/admin/v1',
    isPanel: false,
    security: [{ adminToken: [] }],
    identify: async (request) => {
      const { id: tokenId } = await deps.authenticate(request);
      const actor = { kind: 'admin_token', tokenId, address: request.ip } as const;
      return { actor, session: undefined, leads: true };
    },
  });

export function createAdministratorDoor(deps: DoorDeps): Door {
  const requireSignedIn = requireSession(deps.signIn);
  return createAdminDoor(deps, {
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

export function createMemberDoor({ signIn }: DoorDeps): Door {
  const requireSignedIn = requireSession(signIn);
  const enter = async (request: FastifyRequest, leads: boolean) => {
    const session = getSession(request);
    const { personId } = session;
    const actor = { kind: 'member', personId, address: request.ip } as const;
    visitors.set(request, { actor, session, leads });
  };
  return {
    isAdmin: false,
    isPanel: true,
    prefix: '/panel',
    packagePath: '/panel/packages/:package_id',
    security: sessionSecurity,
    admit: async (request) => {
      await requireSignedIn(request);
      await enter(request, false);
    },
    admitTo: (wanted) => async (request) => {
      await requireSignedIn(request);
      const home = await findHome(signIn, request);
      const role = home && findRole(getSession(request), home.tenantId);
      if (!home || role === undefined) throw fail('package_not_found');
      if (wanted.role === 'owner' && role !== 'owner') throw fail('forbidden');
      homes.set(request, home);
      await enter(request, role === 'owner');
    },
  };
}

/** What every managed route's schema has in common. */
export const managed = <Data extends TSchema>(
  door: Door,
  route: { summary: string; data: Data; description?: string },
) => ({
  tags: [door.isPanel ? 'Panel' : 'Administration'],
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  security: door.security,
  response: { 200: Answer(route.data), '4xx': ErrorAnswer, '5xx': ErrorAnswer },
});

const idForm = /^[1-9]\d{0,17}$/;

/** Ids in addresses: what is no id is nobody's, and so is not found; no row has the id 0. */
export const parseId = (text: string): bigint => (idForm.test(text) ? BigInt(text) : 0n);
