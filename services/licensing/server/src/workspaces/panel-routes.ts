// The workspaces of whoever is signed in, and the settings of one.

import { Role } from '@counterfoil/identity/members/person';
import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import { getSession, requireSession } from '@counterfoil/identity/sessions/require-session';
import { findRole } from '@counterfoil/identity/sessions/session';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { changeWorkspace } from './change-workspace.ts';
import { getWorkspace } from './get-workspace.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { getMembership, requireMembership, WorkspaceParams } from './require-membership.ts';
import {
  maxSupportMonths,
  presentWorkspace,
  supportMonthsMeaning,
  WorkspaceAnswer,
} from './workspace.ts';

interface Deps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly now: () => Date;
}

const Mine = Type.Object({ ...WorkspaceAnswer.properties, role: Role });
const one = '/panel/workspaces/:workspace_id';
const params = Type.Object(WorkspaceParams);
const security = sessionSecurity;

export function registerWorkspacePanelRoutes(app: App, deps: Deps): void {
  const { db, signIn } = deps;
  const listed = Type.Object({ workspaces: Type.Array(Mine) });
  const schema = { ...panelRoute('My workspaces', listed), security };
  app.get('/panel/workspaces', { schema, onRequest: requireSession(signIn) }, async (request) => {
    const session = getSession(request);
    const ids = session.memberships.map((membership) => membership.tenantId);
    const workspaces = await listWorkspaces(db, ids);
    return answer(request, {
      workspaces: workspaces.map((workspace) => ({
        ...presentWorkspace(workspace),
        role: findRole(session, workspace.id) ?? 'member',
      })),
    });
  });
  registerSettings(app, deps);
}

function registerSettings(app: App, { db, signIn, now }: Deps): void {
  const Settings = Type.Object({ workspace: Mine });
  const present = async (request: object) => {
    const { workspaceId, session } = getMembership(request);
    const workspace = presentWorkspace(await getWorkspace(db, workspaceId));
    return { workspace: { ...workspace, role: findRole(session, workspaceId) ?? 'member' } };
  };

  const readSchema = { ...panelRoute('Read a workspace', Settings), security, params };
  const member = requireMembership(signIn, { role: 'member' });
  app.get(one, { schema: readSchema, onRequest: member }, async (request) =>
    answer(request, await present(request)),
  );

  const changeSchema = {
    ...panelRoute('Change the settings of a workspace', Settings),
    security,
    params,
    body: Type.Object({
      name: Type.Optional(PrintableText({ min: 1, max: 128 })),
      support_enabled: Type.Optional(Type.Boolean()),
      support_months: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxSupportMonths,
          description: supportMonthsMeaning,
        }),
      ),
    }),
  };
  const owner = requireMembership(signIn, { role: 'owner' });
  app.patch(one, { schema: changeSchema, onRequest: owner }, async (request) => {
    const { workspaceId, actor } = getMembership(request);
    const { name, support_enabled: supportEnabled, support_months: supportMonths } = request.body;
    const change = { workspaceId, actor, at: now(), name, supportEnabled, supportMonths };
    await db.transaction((tx) => changeWorkspace(tx, change));
    return answer(request, await present(request));
  });
}
