// The parts that the access policies of both services share: the membership check and the route schema.
import { Answer } from '@counterfoil/kit/http/answers';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { getSession, requireSession } from './sessions/require-session.ts';
import { findRole } from './sessions/session.ts';
import type { SignIn } from './sessions/sign-in.ts';

/** The role that a route requires of a member. Owners may do everything that members may. */
export interface RequiredRole {
  readonly role: 'owner' | 'member';
}

/**
 * Requires that the signed-in person is a member of the tenant in the URL. If the person is not a member, the
 * answer is the same as for a tenant that does not exist.
 */
export async function authorizeMember<Tenant extends { readonly tenantId: bigint }>(
  signIn: SignIn,
  request: FastifyRequest,
  wanted: RequiredRole & {
    readonly findTenant: (request: FastifyRequest) => Promise<Tenant | undefined>;
    readonly notFound: () => Error;
  },
) {
  await requireSession(signIn)(request);
  const session = getSession(request);
  const tenant = await wanted.findTenant(request);
  const role = tenant && findRole(session, tenant.tenantId);
  if (!tenant || role === undefined) throw wanted.notFound();
  const isOwner = role === 'owner';
  if (wanted.role === 'owner' && !isOwner) throw signIn.errors.fail('forbidden');
  return { tenant, session, isOwner };
}

const clientFailures = { '4xx': ErrorAnswer };

/** The schema parts of every route that both people in the panel and programs may call. */
export const managedRoute = <Data extends TSchema, Failures = typeof clientFailures>(
  policy: { readonly isPanel: boolean; readonly security: Record<string, string[]>[] },
  route: {
    readonly tag: string;
    readonly summary: string;
    readonly description?: string | undefined;
    readonly data: Data;
    readonly failures?: Failures;
  },
) => ({
  tags: [policy.isPanel ? 'Panel' : route.tag],
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  security: policy.security,
  response: { 200: Answer(route.data), ...((route.failures ?? clientFailures) as Failures) },
});
