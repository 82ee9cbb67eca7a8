// Access policies of the managed routes: programs by secret key, people in the panel by session.

import { managedRoute } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Scope } from './api-keys/api-key.ts';
import { type Authenticate, apiKeySecurity } from './api-keys/authenticate.ts';
import type { Actor } from './audit/audit-event.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from './workspaces/require-membership.ts';

/** The workspace of a request, and its actor for the audit log. */
export interface Caller {
  readonly workspaceId: bigint;
  readonly actor: Actor;
}

/** Authorizes before the body is read. */
interface Guard {
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
}

export interface AccessPolicy {
  readonly prefix: string;
  readonly isPanel: boolean;
  readonly security: Record<string, string[]>[];
  /** The scope that a key needs, and the role that a person needs; any member by default. */
  readonly guard: (scope: Scope, role?: 'owner' | 'member') => Guard;
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** The parameters of a route, together with those of the prefix. */
  readonly params: <Own extends TProperties>(own: Own) => TObject<Own>;
}

export const createKeyPolicy = (authenticate: Authenticate): AccessPolicy => ({
  prefix: '/api/v1',
  isPanel: false,
  security: apiKeySecurity,
  guard: (scope) => ({ onRequest: authenticate(scope) }),
  callerOf: ({ apiKey, ip }) => ({
    workspaceId: apiKey.workspaceId,
    actor: { apiKeyId: apiKey.id, address: ip },
  }),
  params: (own) => Type.Object(own),
});

export const createPanelPolicy = (signIn: SignIn): AccessPolicy => ({
  prefix: '/panel/workspaces/:workspace_id',
  isPanel: true,
  security: sessionSecurity,
  guard: (_scope, role = 'member') => ({ onRequest: requireMembership(signIn, { role }) }),
  callerOf: (request) => getMembership(request),
  params: <Own extends TProperties>(own: Own) =>
    Type.Object({ ...WorkspaceParams, ...own }) as unknown as TObject<Own>,
});

/** The schema parts of every managed route. */
export const managed = <Data extends TSchema>(
  policy: AccessPolicy,
  route: { tag: string; summary: string; data: Data },
) => managedRoute(policy, route);
