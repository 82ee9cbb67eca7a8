// Routes for the members and the invitations of a workspace, a package or the platform.

import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { readLanguage } from '@counterfoil/kit/http/headers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import type { managedRoute, RequiredRole } from '../access-policy.ts';
import { invitePerson, listInvitations, withdrawInvitation } from '../links/invitations.ts';
import type { OpenInvitation } from '../links/link.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { changeRole, removeMember } from './members.ts';
import { Email, type Member, type Role } from './person.ts';
import { listMembers } from './queries.ts';

/** A kind of tenant (workspace, package or platform), and how its routes are mounted. */
export interface MemberScope {
  /** The paths of the two lists: members and invitations. */
  readonly members: string;
  readonly invitations: string;
  readonly params: TProperties;
  readonly roles: readonly Role[];
  /**
   * Whether the schemas have names in the API document. Set this to false if the service registers these
   * routes more than once: the schemas of the registrations differ, so they cannot share one name.
   */
  readonly namesShapes: boolean;
  readonly schema: <Data extends TSchema>(
    summary: string,
    data: Data,
  ) => ReturnType<typeof managedRoute<Data>>;
  readonly authorize: (wanted: RequiredRole) => onRequestAsyncHookHandler;
  readonly principalOf: (request: FastifyRequest) => MemberPrincipal;
  readonly presentTime: (time: Date) => string;
}

/** The person or program that makes the request. */
export interface MemberPrincipal {
  readonly tenantId: bigint;
  /** The id of the person, or null if the principal is a program. */
  readonly personId: bigint | null;
  /** Whether the principal may do everything that owners may do. */
  readonly isOwner: boolean;
  /** A `SignIn` whose audit entries name the principal as the actor. */
  readonly signIn: SignIn;
}

/**
 * The maximum number of open invitations per tenant. Concurrent requests may exceed this maximum, because
 * each request counts the invitations before it creates its own.
 */
const maxInvitations = 100;

const time = Type.String({ format: 'date-time' });
const memberParams = Type.Object({ person_id: Type.String() });

const roleOf = (scope: MemberScope) => Type.Enum([...scope.roles]);

const nameShape = <Shape extends TSchema>(scope: MemberScope, name: string, shape: Shape): Shape =>
  scope.namesShapes ? named(name, shape) : shape;

export function registerMemberRoutes(app: App, scope: MemberScope): void {
  registerMemberList(app, scope);
  if (scope.roles.length > 1) registerRoleChange(app, scope);
  registerRemoval(app, scope);
}

export function registerInvitationRoutes(app: App, scope: MemberScope): void {
  registerInvitationList(app, scope);
  registerInviting(app, scope);
  registerWithdrawal(app, scope);
}

function registerMemberList(app: App, scope: MemberScope): void {
  const Shown = Type.Object({
    person_id: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    role: roleOf(scope),
    second_factor: Type.Boolean(),
    disabled: Type.Boolean(),
    joined_at: time,
  });
  const data = Type.Object({ members: Type.Array(nameShape(scope, 'Member', Shown)) });
  const schema = { ...scope.schema('List members', data), params: Type.Object(scope.params) };
  const onRequest = scope.authorize({ role: 'member' });
  app.get(scope.members, { schema, onRequest }, async (request) => {
    const { signIn, tenantId } = scope.principalOf(request);
    const members = await listMembers(signIn.db, tenantId);
    return answer(request, { members: members.map((each) => presentMember(scope, each)) });
  });
}

const presentMember = (scope: MemberScope, member: Member) => ({
  person_id: Number(member.personId),
  email: member.email,
  name: member.name,
  role: member.role,
  second_factor: member.secondFactor,
  disabled: member.disabled,
  joined_at: scope.presentTime(member.joinedAt),
});

function registerRoleChange(app: App, scope: MemberScope): void {
  const schema = {
    ...scope.schema("Change a member's role", Nothing),
    params: memberParams,
    body: Type.Object({ role: roleOf(scope) }),
  };
  const onRequest = scope.authorize({ role: 'owner' });
  app.patch(`${scope.members}/:person_id`, { schema, onRequest }, async (request) => {
    const { signIn, tenantId, personId: actorId } = scope.principalOf(request);
    const personId = parseId(request.params.person_id);
    const change = { tenantId, personId, role: request.body.role, actorId, address: request.ip };
    await signIn.db.transaction((tx) => changeRole(signIn, tx, change));
    return answer(request, {});
  });
}

/**
 * Registers the removal of members. An owner may remove any member. Any member may leave, except the last
 * owner or administrator.
 */
function registerRemoval(app: App, scope: MemberScope): void {
  const schema = { ...scope.schema('Remove a member, or leave', Nothing), params: memberParams };
  const onRequest = scope.authorize({ role: 'member' });
  app.delete(`${scope.members}/:person_id`, { schema, onRequest }, async (request) => {
    const { signIn, tenantId, personId: actorId, isOwner } = scope.principalOf(request);
    const personId = parseId(request.params.person_id);
    if (!isOwner && personId !== actorId) throw signIn.errors.fail('forbidden');
    const removal = { tenantId, personId, actorId, address: request.ip };
    await signIn.db.transaction((tx) => removeMember(signIn, tx, removal));
    return answer(request, {});
  });
}

function registerInvitationList(app: App, scope: MemberScope): void {
  const Shown = Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    role: roleOf(scope),
    invited_by: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The person who invited; null for an operator or a token.',
    }),
    created_at: time,
    expires_at: time,
  });
  const data = Type.Object({ invitations: Type.Array(nameShape(scope, 'Invitation', Shown)) });
  const params = Type.Object(scope.params);
  const schema = { ...scope.schema('List open invitations', data), params };
  const onRequest = scope.authorize({ role: 'member' });
  app.get(scope.invitations, { schema, onRequest }, async (request) => {
    const { signIn, tenantId } = scope.principalOf(request);
    const open = await listInvitations(signIn, tenantId);
    return answer(request, { invitations: open.map((each) => presentInvitation(scope, each)) });
  });
}

const presentInvitation = (scope: MemberScope, invitation: OpenInvitation) => ({
  id: Number(invitation.id),
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy === null ? null : Number(invitation.invitedBy),
  created_at: scope.presentTime(invitation.createdAt),
  expires_at: scope.presentTime(invitation.expiresAt),
});

/**
 * Registers the creation of invitations. The answer does not reveal whether the e-mail belongs to a person of
 * the service.
 */
function registerInviting(app: App, scope: MemberScope): void {
  const data = Type.Object({
    id: Type.Integer(),
    url: Type.String({ description: 'Cannot be shown again. Valid once, for 24 hours.' }),
    expires_at: time,
    mail: Type.Enum(['queued', 'limited', 'off']),
  });
  const schema = {
    ...scope.schema('Invite somebody', data),
    params: Type.Object(scope.params),
    body: Type.Object({ email: Email, role: roleOf(scope) }),
  };
  const onRequest = scope.authorize({ role: 'owner' });
  app.post(scope.invitations, { schema, onRequest }, async (request) => {
    const { signIn, tenantId, personId: invitedBy } = scope.principalOf(request);
    const open = await listInvitations(signIn, tenantId);
    if (open.length >= maxInvitations) throw signIn.errors.fail('too_many_invitations');
    const { email, role } = request.body;
    const language = readLanguage(request.headers['accept-language']);
    const wanted = { tenantId, email, role, invitedBy, address: request.ip, language };
    const link = await signIn.db.transaction((tx) => invitePerson(signIn, tx, wanted));
    const { id, url, expiresAt, mail } = link;
    return answer(request, { id: Number(id), url, expires_at: scope.presentTime(expiresAt), mail });
  });
}

function registerWithdrawal(app: App, scope: MemberScope): void {
  const schema = {
    ...scope.schema('Withdraw an invitation', Nothing),
    params: Type.Object({ invitation_id: Type.String() }),
  };
  const onRequest = scope.authorize({ role: 'owner' });
  app.delete(`${scope.invitations}/:invitation_id`, { schema, onRequest }, async (request) => {
    const { signIn, tenantId, personId: actorId } = scope.principalOf(request);
    const id = parseId(request.params.invitation_id);
    const wanted = { tenantId, id, actorId, address: request.ip };
    await signIn.db.transaction((tx) => withdrawInvitation(signIn, tx, wanted));
    return answer(request, {});
  });
}
