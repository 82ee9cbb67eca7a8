// Webhooks of a package in the panel: for its members, and for administrators.

import type { App } from '@counterfoil/kit/http/app';
import { createThrottle, throttleHeaders } from '@counterfoil/kit/http/throttle';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { AddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { AttemptSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import type { WebhookMount } from '@counterfoil/webhooks/endpoints/mount';
import { registerWebhookRoutes } from '@counterfoil/webhooks/endpoints/register-webhooks';
import { type AccessPolicy, managed, PackageParams } from '../access-policy.ts';
import { errors, fail } from '../errors.ts';
import {
  askPassword,
  lockPackage,
  type ManagementDeps,
  recordPackageEvent,
  targetOf,
} from '../packages/lock-package.ts';
import { eventTypes } from './event-schemas.ts';
import { beginCreditWatch } from './watch-credit.ts';
import { webhookTables } from './webhooks.ts';

const testsPerMinute = 20;

export interface WebhookManagementDeps {
  readonly guard: AddressGuard;
  readonly sender: AttemptSender;
}

export function registerWebhookManagement(
  app: App,
  policy: AccessPolicy,
  deps: ManagementDeps & WebhookManagementDeps,
): void {
  // Only the panel has webhook routes. The routes show secrets and ask for the password first, and a program
  // has no password.
  if (!policy.isPanel) return;
  const tests = createThrottle({ perMinute: testsPerMinute, now: () => deps.now().getTime() });
  registerWebhookRoutes(app, createMount(policy, deps), {
    ...deps,
    tables: webhookTables,
    errors,
    eventTypes,
    prepare: async (tx: Tx, tenant: bigint) => {
      await lockPackage(tx, Number(tenant));
      await beginCreditWatch(tx, Number(tenant));
    },
    countTest: (tenant) => {
      const counted = tests.fail(String(tenant));
      if (!counted.limited) return;
      throw fail('rate_limited', { headers: throttleHeaders('webhook-tests', tests, counted) });
    },
  });
}

const createMount = (policy: AccessPolicy, deps: ManagementDeps): WebhookMount => ({
  path: `${policy.packagePath}/webhooks`,
  params: PackageParams,
  describe: (summary, data) => managed(policy, { summary, data }),
  authorize: (role) => policy.authorizeFor({ role }),
  principalOf: (request) => {
    const target = targetOf(deps, request);
    return {
      tenant: BigInt(target.packageId),
      record: (tx, { id, action, details }) =>
        recordPackageEvent(tx, target, { action, details, subject: { kind: 'webhook', id: String(id) } }),
      requirePassword: (password) => askPassword(deps, request, password),
    };
  },
});
