// Webhooks of a workspace in the panel.
import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import { requirePassword } from '@counterfoil/identity/passwords/check-password';
import type { App } from '@counterfoil/kit/http/app';
import { createThrottle } from '@counterfoil/kit/http/throttle';
import type { AddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { AttemptSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import type { WebhookMount } from '@counterfoil/webhooks/endpoints/mount';
import { registerWebhookRoutes } from '@counterfoil/webhooks/endpoints/register-webhooks';
import { recordAudit } from '../audit/record-audit.ts';
import { errors } from '../errors.ts';
import {
  getMembership,
  type PanelDeps,
  requireMembership,
  WorkspaceParams,
} from '../people/require-membership.ts';
import { refuseTooMany } from '../wire/refusals.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { eventTypes, webhookTables } from './events.ts';

const testsPerMinute = 20;

interface Deps extends PanelDeps {
  readonly guard: AddressGuard;
  readonly sender: AttemptSender;
}

export function registerWebhookPanelRoutes(app: App, deps: Deps): void {
  const tests = createThrottle({ perMinute: testsPerMinute, now: () => deps.now().getTime() });
  registerWebhookRoutes(app, createMount(deps), {
    ...deps,
    tables: webhookTables,
    errors,
    eventTypes,
    prepare: lockWorkspace,
    countTest: (workspaceId) => {
      const counted = tests.fail(String(workspaceId));
      if (counted.limited) throw refuseTooMany('webhook-tests', tests, counted);
    },
  });
}

const createMount = ({ signIn, now }: PanelDeps): WebhookMount => ({
  path: '/panel/workspaces/:workspace_id/webhooks',
  params: WorkspaceParams,
  describe: (summary, data) => ({ ...panelRoute(summary, data), security: sessionSecurity }),
  authorize: (role) => requireMembership(signIn, { role }),
  principalOf: (request) => {
    const { workspaceId, actor, session } = getMembership(request);
    return {
      tenant: workspaceId,
      record: (tx, { id, ...event }) => {
        const subject = { kind: 'webhook', id: String(id) };
        return recordAudit(tx, { ...event, workspaceId, actor, at: now(), subject });
      },
      requirePassword: (password) => requirePassword(signIn, { personId: session.personId, password }),
    };
  },
});
