// Invitations: one-time links that the inviter copies; no mail is sent.

import { answer, Nothing } from '@counterfoil/identity/answers';
import { invitePerson } from '@counterfoil/identity/links/invite-person';
import { listInvitations } from '@counterfoil/identity/links/list-invitations';
import { withdrawInvitation } from '@counterfoil/identity/links/withdraw-invitation';
import { Email } from '@counterfoil/identity/members/person';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { getVisitor, managed, parseId } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { actAs } from './act-as.ts';
import type { PeopleDeps } from './member-routes.ts';
import { type Place, RoleOf } from './scope.ts';

/** Open ones; each is a way in. Two inviters at once may exceed it by one. */
const maxInvitations = 100;

const time = Type.String({ format: 'date-time' });

export function registerInvitations(app: App, place: Place, deps: PeopleDeps): void {
  const Invitation = Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    role: RoleOf(place),
    invited_by: Type.Union([Type.Integer(), Type.Null()], {
      description: 'A person; null for an operator or a token.',
    }),
    created_at: time,
    expires_at: time,
  });
  const data = Type.Object({ invitations: Type.Array(Invitation) });
  const params = Type.Object(place.params);
  const schema = { ...managed(place.door, { summary: 'List open invitations', data }), params };
  const onRequest = place.admit({ role: 'member' });
  app.get(place.invitations, { schema, onRequest }, async (request) => {
    const open = await listInvitations(deps.signIn, place.tenantOf(request));
    return answer(request, {
      invitations: open.map((each) => ({
        id: Number(each.id),
        email: each.email,
        role: each.role,
        invited_by: each.invitedBy === null ? null : Number(each.invitedBy),
        created_at: each.createdAt.toISOString(),
        expires_at: each.expiresAt.toISOString(),
      })),
    });
  });
  registerInviting(app, place, deps);
  registerWithdrawal(app, place, deps);
}

/** The answer is the same whether the e-mail belongs to a person of the service or not. */
function registerInviting(app: App, place: Place, { db, signIn }: PeopleDeps): void {
  const data = Type.Object({
    id: Type.Integer(),
    url: Type.String({ description: 'Shown this once, good once and for 24 hours.' }),
    expires_at: time,
  });
  const schema = {
    ...managed(place.door, { summary: 'Invite somebody', data }),
    params: Type.Object(place.params),
    body: Type.Object({ email: Email, role: RoleOf(place) }),
  };
  const onRequest = place.admit({ role: 'owner' });
  app.post(place.invitations, { schema, onRequest }, async (request) => {
    const { actor, session } = getVisitor(request);
    const tenantId = place.tenantOf(request);
    const open = await listInvitations(signIn, tenantId);
    if (open.length >= maxInvitations) throw fail('too_many_invitations');
    const { email, role } = request.body;
    const wanted = { tenantId, email, role, invitedBy: session?.personId ?? null };
    const link = await db.transaction((tx) => invitePerson(actAs(signIn, actor), tx, wanted));
    const { id, url, expiresAt } = link;
    return answer(request, { id: Number(id), url, expires_at: expiresAt.toISOString() });
  });
}

function registerWithdrawal(app: App, place: Place, { db, signIn }: PeopleDeps): void {
  const schema = {
    ...managed(place.door, { summary: 'Withdraw an invitation', data: Nothing }),
    params: Type.Object({ invitation_id: Type.String() }),
  };
  const onRequest = place.admit({ role: 'owner' });
  const path = `${place.invitations}/:invitation_id`;
  app.delete(path, { schema, onRequest }, async (request) => {
    const { actor, session } = getVisitor(request);
    const tenantId = place.tenantOf(request);
    const id = parseId(request.params.invitation_id);
    const wanted = { tenantId, id, actorId: session?.personId ?? null };
    await db.transaction((tx) => withdrawInvitation(actAs(signIn, actor), tx, wanted));
    return answer(request, {});
  });
}
