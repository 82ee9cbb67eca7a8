// Two access policies for the same operations: programs use a secret key, and people use a panel session.

import { managedRoute } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Caller } from './audit/audit-event.ts';
import type { Scope } from './authentication/api-key.ts';
import { type Authenticate, apiKeySecurity } from './authentication/authenticate.ts';
import {
  getMembership,
  type PanelDeps,
  requireMembership,
  WorkspaceParams,
} from './people/require-membership.ts';

/** The database, master key and clock that every management operation needs. */
export type ManagementDeps = Omit<PanelDeps, 'signIn'>;

export interface AccessPolicy {
  readonly prefix: string;
  readonly isPanel: boolean;
  readonly security: Record<string, string[]>[];
  /**
   * Makes a function that checks a request. A request with a key needs the scope. A request of a person needs
   * the role; the default role is `member`.
   */
  readonly guard: (scope: Scope, role?: 'owner' | 'member') => (request: FastifyRequest) => Promise<void>;
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** Adds the path parameters of the access policy to the path parameters of the route. */
  readonly params: <Own extends TProperties>(own: Own) => TObject<Own>;
}

export const createKeyPolicy = (authenticate: Authenticate): AccessPolicy => ({
  prefix: '/api/v1',
  isPanel: false,
  security: apiKeySecurity,
  guard: (scope) => authenticate(scope),
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
  guard: (_scope, role = 'member') => requireMembership(signIn, { role }),
  callerOf: (request) => getMembership(request),
  params: <Own extends TProperties>(own: Own) =>
    Type.Object({ ...WorkspaceParams, ...own }) as unknown as TObject<Own>,
});

interface ManagedRoute<Data extends TSchema, Own extends TProperties> {
  readonly scope: Scope;
  readonly role?: 'owner';
  readonly tag: string;
  readonly summary: string;
  readonly data: Data;
  /** The path parameters of the route. */
  readonly params?: Own;
}

/**
 * The options of a management route. `more` adds parts such as the body to the schema of the route. The
 * guard is an `onRequest` hook and runs before the body is read. So a request with a wrong key and a wrong
 * body gets the error of the key.
 */
export const managed = <
  Data extends TSchema,
  Own extends TProperties = Record<never, never>,
  More extends object = Record<never, never>,
>(
  policy: AccessPolicy,
  { scope, role, params = {} as Own, ...route }: ManagedRoute<Data, Own>,
  more = {} as More,
) => ({
  schema: { ...managedRoute(policy, route), params: policy.params(params), ...more },
  onRequest: policy.guard(scope, role),
});
