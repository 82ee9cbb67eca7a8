// Requires that the signed-in person is a member of the workspace that the URL names.

import { authorizeMember, type RequiredRole } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import type { Session } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { parseId } from '@counterfoil/kit/http/parameters';
import { createRequestContext } from '@counterfoil/kit/http/request-context';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';

/** The parts of the service that the routes of the panel use. */
export interface PanelDeps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

export interface WorkspaceMembership {
  readonly workspaceId: bigint;
  readonly session: Session;
  readonly isOwner: boolean;
  /** The actor that the audit log records. */
  readonly actor: { readonly personId: bigint; readonly address: string };
}

export const WorkspaceParams = { workspace_id: Type.String() };

const memberships = createRequestContext<WorkspaceMembership>('member of a workspace');

/**
 * An `onRequest` hook for routes under `/panel/workspaces/:workspace_id`. A workspace that does not exist, a
 * workspace of which the person is not a member, and an invalid id get the same answer.
 */
export function requireMembership(signIn: SignIn, wanted: RequiredRole) {
  return async (request: FastifyRequest): Promise<void> => {
    const { tenant, session, isOwner } = await authorizeMember(signIn, request, {
      ...wanted,
      findTenant,
      notFound: () => fail('workspace_not_found'),
    });
    const actor = { personId: session.personId, address: request.ip };
    memberships.set(request, { workspaceId: tenant.tenantId, session, isOwner, actor });
  };
}

async function findTenant({ params }: FastifyRequest): Promise<{ tenantId: bigint } | undefined> {
  const { workspace_id: text = '' } = params as { workspace_id?: string };
  const tenantId = parseId(text);
  return tenantId === 0n ? undefined : { tenantId };
}

/** The options of a route under `/panel/workspaces/:workspace_id` that a member or an owner may call. */
export const workspaceRoute = <Schema extends object>(
  { signIn }: Pick<PanelDeps, 'signIn'>,
  role: RequiredRole['role'],
  schema: Schema,
) => ({
  schema: { params: Type.Object(WorkspaceParams), ...schema, security: sessionSecurity },
  onRequest: requireMembership(signIn, { role }),
});

/** The membership that `requireMembership` has stored for the request. */
export const getMembership = (request: object): WorkspaceMembership => memberships.get(request);
