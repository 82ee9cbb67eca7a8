// Invitations to a workspace: one-time links that the inviter copies; no mail is sent.

import {
  answer,
  Nothing,
  panelRoute,
  presentTime,
  sessionSecurity,
} from '@counterfoil/identity/answers';
import { invitePerson } from '@counterfoil/identity/links/invite-person';
import { listInvitations } from '@counterfoil/identity/links/list-invitations';
import { withdrawInvitation } from '@counterfoil/identity/links/withdraw-invitation';
import { Email } from '@counterfoil/identity/members/person';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { parseId } from '../wire/parse-id.ts';
import type { PeoplePanelDeps } from './panel-routes.ts';
import { getVisit, requireMembership, WorkspaceParams } from './require-membership.ts';

/** Open ones; each is a way into the workspace. Two inviters at once may exceed it by one. */
const maxInvitations = 100;

const all = '/panel/workspaces/:workspace_id/invitations';
const params = Type.Object(WorkspaceParams);
const security = sessionSecurity;
const WorkspaceRole = Type.Enum(['owner', 'member']);

const Invitation = named(
  'Invitation',
  Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    role: WorkspaceRole,
    invited_by: Type.Optional(Type.Integer({ description: 'A person; absent for an operator.' })),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
  }),
);

const MadeInvitation = Type.Object({
  id: Type.Integer(),
  url: Type.String({ description: 'Shown this once, good once and for 24 hours.' }),
  expires_at: Type.String({ format: 'date-time' }),
});

export function registerInvitationRoutes(app: App, deps: PeoplePanelDeps): void {
  const { signIn } = deps;
  const listed = Type.Object({ invitations: Type.Array(Invitation) });
  const schema = { ...panelRoute('List open invitations', listed), security, params };
  const onRequest = requireMembership(signIn, { role: 'member' });
  app.get(all, { schema, onRequest }, async (request) => {
    const open = await listInvitations(signIn, getVisit(request).workspaceId);
    return answer(request, {
      invitations: open.map((each) => ({
        id: Number(each.id),
        email: each.email,
        role: each.role === 'owner' ? ('owner' as const) : ('member' as const),
        ...(each.invitedBy !== null && { invited_by: Number(each.invitedBy) }),
        created_at: presentTime(each.createdAt),
        expires_at: presentTime(each.expiresAt),
      })),
    });
  });
  registerInviting(app, deps);
}

/** The answer is the same whether the e-mail belongs to a person of the service or not. */
function registerInviting(app: App, { db, signIn }: PeoplePanelDeps): void {
  const onRequest = requireMembership(signIn, { role: 'owner' });
  const inviteSchema = {
    ...panelRoute('Invite somebody', MadeInvitation),
    security,
    params,
    body: Type.Object({ email: Email, role: WorkspaceRole }),
  };
  app.post(all, { schema: inviteSchema, onRequest }, async (request) => {
    const { workspaceId: tenantId, session } = getVisit(request);
    const by = { invitedBy: session.personId, address: request.ip };
    const open = await listInvitations(signIn, tenantId);
    if (open.length >= maxInvitations) throw fail('too_many_invitations');
    const wanted = { tenantId, ...request.body, ...by };
    const link = await db.transaction((tx) => invitePerson(signIn, tx, wanted));
    const { id, url, expiresAt } = link;
    return answer(request, { id: Number(id), url, expires_at: presentTime(expiresAt) });
  });

  const withdrawSchema = {
    ...panelRoute('Withdraw an invitation', Nothing),
    security,
    params: Type.Object({ ...WorkspaceParams, invitation_id: Type.String() }),
  };
  const path = `${all}/:invitation_id`;
  app.delete(path, { schema: withdrawSchema, onRequest }, async (request) => {
    const { workspaceId: tenantId, session } = getVisit(request);
    const id = parseId(request.params.invitation_id);
    const by = { actorId: session.personId, address: request.ip };
    await db.transaction((tx) => withdrawInvitation(signIn, tx, { tenantId, id, ...by }));
    return answer(request, {});
  });
}
