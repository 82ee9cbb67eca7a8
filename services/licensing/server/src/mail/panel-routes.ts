// Routes for the undelivered messages of a workspace. In the panel, only owners of the workspace see them.
import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import type { App } from '@counterfoil/kit/http/app';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { type MailMount, registerMailRoutes } from '@counterfoil/mail/register-mail';
import { recordAudit } from '../audit/record-audit.ts';
import { errors } from '../errors.ts';
import {
  getMembership,
  type PanelDeps,
  requireMembership,
  WorkspaceParams,
} from '../people/require-membership.ts';

export function registerMailPanelRoutes(app: App, deps: PanelDeps & { mailer: Mailer }): void {
  const mount: MailMount = {
    path: '/panel/workspaces/:workspace_id/mail',
    params: WorkspaceParams,
    describe: (summary, data) => ({ ...panelRoute(summary, data), security: sessionSecurity }),
    onRequest: requireMembership(deps.signIn, { role: 'owner' }),
    tenantOf: (request) => getMembership(request).workspaceId,
    record: (tx, request, { tenantId: workspaceId, id }) =>
      recordAudit(tx, {
        workspaceId,
        at: deps.now(),
        actor: getMembership(request).actor,
        action: 'mail_resent',
        subject: { kind: 'mail', id: String(id) },
        details: {},
      }),
  };
  registerMailRoutes(app, mount, { ...deps, errors });
}
