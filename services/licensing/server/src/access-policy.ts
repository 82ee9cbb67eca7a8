// Two access policies for the same operations: programs use a secret key, people a panel session.

import { managedRoute } from '@counterfoil/identity/access-policy';
import { sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Actor } from './audit/audit-event.ts';
import type { Scope } from './authentication/api-key.ts';
import { type Authenticate, apiKeySecurity } from './authentication/authenticate.ts';
import { getMembership, requireMembership, WorkspaceParams } from './people/require-membership.ts';

/** The database, master key and clock that every management operation needs. */
export interface ManagementDeps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

/** The workspace of an operation, and the actor that the audit log records. */
export interface Caller {
  readonly workspaceId: bigint;
  readonly actor: Actor;
}

/** `onRequest` runs before the body is read, so authentication errors come before errors of the body. */
interface Guard {
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
}

export interface AccessPolicy {
  readonly prefix: string;
  readonly isPanel: boolean;
  readonly security: Record<string, string[]>[];
  /** A key needs the scope. A person needs the role; the default role is `member`. */
  readonly guard: (scope: Scope, role?: 'owner' | 'member') => Guard;
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** Adds the path parameters of the access policy to those of the route. */
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

/** The schema that all management routes share. `params` has the path parameters of the route. */
export const managed = <Data extends TSchema, Own extends TProperties = Record<never, never>>(
  policy: AccessPolicy,
  { params, ...route }: { tag: string; summary: string; data: Data; params?: Own },
) => ({ ...managedRoute(policy, route), params: policy.params(params ?? ({} as Own)) });
