// The members of a workspace and its open invitations, in the panel.

import { managedRoute } from '@counterfoil/identity/access-policy';
import {
  type MemberScope,
  registerInvitationRoutes,
  registerMemberRoutes,
} from '@counterfoil/identity/members/register-members';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { createPanelPolicy } from '../access-policy.ts';
import { getMembership, requireMembership, WorkspaceParams } from './require-membership.ts';

export function registerPeoplePanelRoutes(app: App, { signIn }: { signIn: SignIn }): void {
  const scope = createWorkspaceScope(signIn);
  registerMemberRoutes(app, scope);
  registerInvitationRoutes(app, scope);
}

function createWorkspaceScope(signIn: SignIn): MemberScope {
  const panel = createPanelPolicy(signIn);
  return {
    members: `${panel.prefix}/members`,
    invitations: `${panel.prefix}/invitations`,
    params: WorkspaceParams,
    roles: ['owner', 'member'],
    namesShapes: true,
    schema: (summary, data) => managedRoute(panel, { tag: 'Panel', summary, data }),
    authorize: (wanted) => requireMembership(signIn, wanted),
    principalOf: (request) => {
      const { workspaceId, session, isOwner } = getMembership(request);
      return { tenantId: workspaceId, personId: session.personId, isOwner, signIn };
    },
    presentTime,
  };
}
