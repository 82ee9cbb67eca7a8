// The people of a workspace: members, their roles, and open invitations.

import {
  answer,
  Nothing,
  panelRoute,
  presentTime,
  sessionSecurity,
} from '@counterfoil/identity/answers';
import { changeRole } from '@counterfoil/identity/members/change-role';
import { listMembers } from '@counterfoil/identity/members/list-members';
import { removeMember } from '@counterfoil/identity/members/remove-member';
import { findRole } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { parseId } from '../wire/parse-id.ts';
import { registerInvitationRoutes } from './panel-invitation-routes.ts';
import { getVisit, requireMembership, WorkspaceParams } from './require-membership.ts';

export interface PeoplePanelDeps {
  readonly db: Db;
  readonly signIn: SignIn;
}

const WorkspaceRole = Type.Enum(['owner', 'member']);

const all = '/panel/workspaces/:workspace_id/members';
const one = `${all}/:person_id`;
const memberParams = Type.Object({ ...WorkspaceParams, person_id: Type.String() });
const security = sessionSecurity;

const Member = named(
  'Member',
  Type.Object({
    person_id: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    role: WorkspaceRole,
    second_factor: Type.Boolean(),
    disabled: Type.Boolean(),
    joined_at: Type.String({ format: 'date-time' }),
  }),
);

export function registerPeoplePanelRoutes(app: App, deps: PeoplePanelDeps): void {
  registerMembers(app, deps);
  registerRemoval(app, deps);
  registerInvitationRoutes(app, deps);
}

function registerMembers(app: App, { db, signIn }: PeoplePanelDeps): void {
  const listSchema = {
    ...panelRoute('List members', Type.Object({ members: Type.Array(Member) })),
    security,
    params: Type.Object(WorkspaceParams),
  };
  const member = requireMembership(signIn, { role: 'member' });
  app.get(all, { schema: listSchema, onRequest: member }, async (request) => {
    const members = await listMembers(db, getVisit(request).workspaceId);
    return answer(request, {
      members: members.map((each) => ({
        person_id: Number(each.personId),
        email: each.email,
        name: each.name,
        role: each.role === 'owner' ? ('owner' as const) : ('member' as const),
        second_factor: each.secondFactor,
        disabled: each.disabled,
        joined_at: presentTime(each.joinedAt),
      })),
    });
  });

  const roleSchema = {
    ...panelRoute("Change a member's role", Nothing),
    security,
    params: memberParams,
    body: Type.Object({ role: WorkspaceRole }),
  };
  const owner = requireMembership(signIn, { role: 'owner' });
  app.patch(one, { schema: roleSchema, onRequest: owner }, async (request) => {
    const { workspaceId: tenantId, session } = getVisit(request);
    const personId = parseId(request.params.person_id);
    const by = { actorId: session.personId, address: request.ip };
    const change = { tenantId, personId, role: request.body.role, ...by };
    await db.transaction((tx) => changeRole(signIn, tx, change));
    return answer(request, {});
  });
}

/** An owner may remove anybody, anybody may leave; the last owner stays. */
function registerRemoval(app: App, { db, signIn }: PeoplePanelDeps): void {
  const schema = {
    ...panelRoute('Remove a member, or leave', Nothing),
    security,
    params: memberParams,
  };
  const member = requireMembership(signIn, { role: 'member' });
  app.delete(one, { schema, onRequest: member }, async (request) => {
    const { workspaceId: tenantId, session } = getVisit(request);
    const personId = parseId(request.params.person_id);
    const isOwner = findRole(session, tenantId) === 'owner';
    if (!isOwner && personId !== session.personId) throw fail('forbidden');
    const removal = { tenantId, personId, actorId: session.personId, address: request.ip };
    await db.transaction((tx) => removeMember(signIn, tx, removal));
    return answer(request, {});
  });
}
