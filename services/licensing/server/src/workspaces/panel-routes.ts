// The workspaces of the signed-in person, and the settings of one workspace.

import { Role } from '@counterfoil/identity/members/person';
import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import { getSession, requireSession } from '@counterfoil/identity/sessions/require-session';
import { findRole } from '@counterfoil/identity/sessions/session';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { changeWorkspace } from './change-workspace.ts';
import { getWorkspace, listWorkspaces } from './queries.ts';
import {
  buyerSupportMailMeaning,
  buyerSupportMails,
  maxSupportMonths,
  presentWorkspace,
  supportMonthsMeaning,
  vendorClientsMeaning,
  vendors,
  WorkspaceAnswer,
} from './workspace.ts';

const Mine = Type.Object({ ...WorkspaceAnswer.properties, role: Role });
const one = '/panel/workspaces/:workspace_id';

export function registerWorkspacePanelRoutes(app: App, deps: PanelDeps): void {
  const { db, signIn } = deps;
  const listed = Type.Object({ workspaces: Type.Array(Mine) });
  const schema = { ...panelRoute('List my workspaces', listed), security: sessionSecurity };
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

function registerSettings(app: App, deps: PanelDeps): void {
  const { db, now } = deps;
  const Settings = Type.Object({ workspace: Mine });
  const present = async (request: object) => {
    const { workspaceId, session } = getMembership(request);
    const workspace = presentWorkspace(await getWorkspace(db, workspaceId));
    return { workspace: { ...workspace, role: findRole(session, workspaceId) ?? 'member' } };
  };

  const reading = workspaceRoute(deps, 'member', panelRoute('Read a workspace', Settings));
  app.get(one, reading, async (request) => answer(request, await present(request)));

  const changing = workspaceRoute(deps, 'owner', {
    ...panelRoute('Change the settings of a workspace', Settings),
    body: Type.Object({
      name: Type.Optional(PrintableText({ min: 1, max: 128 })),
      support_enabled: Type.Optional(Type.Boolean()),
      support_months: Type.Optional(
        Type.Integer({ minimum: 0, maximum: maxSupportMonths, description: supportMonthsMeaning }),
      ),
      vendor_clients: Type.Optional(
        Type.Array(Type.Enum([...vendors]), { uniqueItems: true, description: vendorClientsMeaning }),
      ),
      buyer_support_mail: Type.Optional(
        Type.Enum([...buyerSupportMails], { description: buyerSupportMailMeaning }),
      ),
    }),
  });
  app.patch(one, changing, async (request) => {
    const { workspaceId, actor } = getMembership(request);
    const { body } = request;
    const change = {
      name: body.name,
      supportEnabled: body.support_enabled,
      supportMonths: body.support_months,
      vendorClients: body.vendor_clients,
      buyerSupportMail: body.buyer_support_mail,
    };
    await db.transaction((tx) => changeWorkspace(tx, { workspaceId, actor, at: now(), ...change }));
    return answer(request, await present(request));
  });
}
