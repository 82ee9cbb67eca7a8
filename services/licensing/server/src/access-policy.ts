// Two access policies for the same operations: programs use a secret key, people a panel session.

import { managedRoute } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Actor } from './audit/audit-event.ts';
import type { Scope } from './authentication/api-key.ts';
import { type Authenticate, apiKeySecurity } from './authentication/authenticate.ts';
import { getMembership, requireMembership, WorkspaceParams } from './people/require-membership.ts';

/** In whose workspace something is done, and by whom. */
export interface Caller {
  readonly workspaceId: bigint;
  readonly actor: Actor;
}

/** Who is asking comes before what they sent. */
interface Guard {
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
}

export interface AccessPolicy {
  readonly prefix: string;
  readonly isPanel: boolean;
  readonly security: Record<string, string[]>[];
  /** By which scope a key opens it, and which people: any member, unless told otherwise. */
  readonly guard: (scope: Scope, role?: 'owner' | 'member') => Guard;
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** Parameters of the route itself, in addition to those of the access policy. */
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

/** The schema parts of every managed route. `params` are the parameters of the route itself. */
export const managed = <Data extends TSchema, Own extends TProperties = Record<never, never>>(
  policy: AccessPolicy,
  { params, ...route }: { tag: string; summary: string; data: Data; params?: Own },
) => ({ ...managedRoute(policy, route), params: policy.params(params ?? ({} as Own)) });
