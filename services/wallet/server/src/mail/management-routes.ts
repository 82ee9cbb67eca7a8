// Undelivered messages of all packages, for administrators.
import type { App } from '@counterfoil/kit/http/app';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { type MailMount, registerMailRoutes } from '@counterfoil/mail/register-mail';
import { type AccessPolicy, getPrincipal, managed } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { errors } from '../errors.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';

export interface MailManagementDeps extends ManagementDeps {
  readonly mailer: Mailer;
}

export function registerMailManagement(app: App, policy: AccessPolicy, deps: MailManagementDeps): void {
  const mount = {
    path: `${policy.prefix}/mail`,
    params: {},
    describe: (summary, data) => managed(policy, { summary, data }),
    onRequest: policy.authorize,
    tenantOf: () => undefined,
    record: (tx, request, { tenantId, id }) =>
      recordAudit(tx, {
        packageId: Number(tenantId),
        at: deps.now(),
        actor: getPrincipal(request).actor,
        action: 'mail_resent',
        subject: { kind: 'mail', id: String(id) },
        details: {},
      }),
  } satisfies MailMount;
  registerMailRoutes(app, mount, { ...deps, errors });
}
