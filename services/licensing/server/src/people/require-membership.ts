// Who is in which workspace: the session's person must be a member of the one in the address.
import { getSession, requireSession } from '@counterfoil/identity/sessions/require-session';
import { findRole, type Session } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { parseId } from '../wire/parse-id.ts';

export interface Visit {
  readonly workspaceId: bigint;
  readonly session: Session;
  /** The actor that the audit log names. */
  readonly actor: { readonly personId: bigint; readonly address: string };
}

export const WorkspaceParams = { workspace_id: Type.String() };

const visits = new WeakMap<object, Visit>();

/**
 * An `onRequest` hook for routes under `/panel/workspaces/:workspace_id`. Somebody else's workspace
 * answers exactly like one that does not exist, however the id is spelled.
 */
export function requireMembership(signIn: SignIn, wanted: { role: 'owner' | 'member' }) {
  const requireSignedIn = requireSession(signIn);
  return async (request: FastifyRequest): Promise<void> => {
    await requireSignedIn(request);
    const session = getSession(request);
    const { workspace_id: text = '' } = request.params as { workspace_id?: string };
    const workspaceId = parseId(text);
    const role = findRole(session, workspaceId);
    if (workspaceId === 0n || role === undefined) throw fail('workspace_not_found');
    if (wanted.role === 'owner' && role !== 'owner') throw fail('forbidden');
    const actor = { personId: session.personId, address: request.ip };
    visits.set(request, { workspaceId, session, actor });
  };
}

/** The visit that the hook let in; on a route without the hook that is a mistake of ours. */
export function getVisit(request: object): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error('getVisit on a route that does not require membership');
  return visit;
}
