// Who belongs to a package or to the platform, in which role; removing them, or leaving.

import { answer, Nothing } from '@counterfoil/identity/answers';
import { changeRole } from '@counterfoil/identity/members/change-role';
import { listMembers } from '@counterfoil/identity/members/list-members';
import { removeMember } from '@counterfoil/identity/members/remove-member';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { getVisitor, managed, parseId } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { actAs } from './act-as.ts';
import { type Place, RoleOf } from './scope.ts';

export interface PeopleDeps {
  readonly db: Db;
  readonly signIn: SignIn;
}

export function registerMembers(app: App, place: Place, deps: PeopleDeps): void {
  const Member = Type.Object({
    person_id: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    role: RoleOf(place),
    second_factor: Type.Boolean(),
    disabled: Type.Boolean(),
    joined_at: Type.String({ format: 'date-time' }),
  });
  const data = Type.Object({ members: Type.Array(Member) });
  const params = Type.Object(place.params);
  const schema = { ...managed(place.door, { summary: 'List members', data }), params };
  const onRequest = place.admit({ role: 'member' });
  app.get(place.members, { schema, onRequest }, async (request) => {
    const members = await listMembers(deps.db, place.tenantOf(request));
    return answer(request, {
      members: members.map((each) => ({
        person_id: Number(each.personId),
        email: each.email,
        name: each.name,
        role: each.role,
        second_factor: each.secondFactor,
        disabled: each.disabled,
        joined_at: each.joinedAt.toISOString(),
      })),
    });
  });
  if (place.roles.length > 1) registerRoleChange(app, place, deps);
  registerRemoval(app, place, deps);
}

const memberParams = Type.Object({ person_id: Type.String() });

function registerRoleChange(app: App, place: Place, { db, signIn }: PeopleDeps): void {
  const schema = {
    ...managed(place.door, { summary: "Change a member's role", data: Nothing }),
    params: memberParams,
    body: Type.Object({ role: RoleOf(place) }),
  };
  const onRequest = place.admit({ role: 'owner' });
  app.patch(`${place.members}/:person_id`, { schema, onRequest }, async (request) => {
    const { actor, session } = getVisitor(request);
    const change = {
      tenantId: place.tenantOf(request),
      personId: parseId(request.params.person_id),
      role: request.body.role,
      actorId: session?.personId ?? null,
    };
    await db.transaction((tx) => changeRole(actAs(signIn, actor), tx, change));
    return answer(request, {});
  });
}

/** An owner may remove anybody, anybody may leave; the last owner or administrator stays. */
function registerRemoval(app: App, place: Place, { db, signIn }: PeopleDeps): void {
  const schema = {
    ...managed(place.door, { summary: 'Remove a member, or leave', data: Nothing }),
    params: memberParams,
  };
  const onRequest = place.admit({ role: 'member' });
  app.delete(`${place.members}/:person_id`, { schema, onRequest }, async (request) => {
    const { actor, session, leads } = getVisitor(request);
    const personId = parseId(request.params.person_id);
    if (!leads && personId !== session?.personId) throw fail('forbidden');
    const actorId = session?.personId ?? null;
    const removal = { tenantId: place.tenantOf(request), personId, actorId };
    await db.transaction((tx) => removeMember(actAs(signIn, actor), tx, removal));
    return answer(request, {});
  });
}
