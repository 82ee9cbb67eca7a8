// The route that reads likely abuse for the panel. Another route blocks a purchase.
import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import {
  AbuseAnswer,
  defaultThresholds,
  failureHours,
  hostDays,
  maxListed,
  presentBusyPurchase,
  presentFailingCaller,
} from './likely-abuse.ts';
import { selectBlockedPurchases, selectBusyPurchases, selectFailingCallers } from './queries.ts';

const hourMs = 3_600_000;

/** Query parameters arrive as texts. The pattern allows the numbers from 2 to 9999. */
const Threshold = (description: string) =>
  Type.Optional(
    shownAs(Type.String({ pattern: '^([2-9]|[1-9][0-9]{1,3})$', description }), integerForm(2, 9999)),
  );

export function registerAbusePanelRoutes(app: App, deps: PanelDeps): void {
  const { minHosts, minFailures } = defaultThresholds;
  const route = workspaceRoute(deps, 'member', {
    ...panelRoute('Find likely abuse of purchase codes', AbuseAnswer),
    description:
      `Purchases on many hosts within ${hostDays} days, and callers with many refused codes within an hour ` +
      `of the last ${failureHours} hours, also at the update server and at the sign-in of buyers. At most ` +
      'the 20,000 newest activations, refusals and failed requests of the workspace are read.',
    querystring: Type.Object({
      min_hosts: Threshold(`From 2 to 9999 hosts; ${minHosts} if not given.`),
      min_failures: Threshold(`From 2 to 9999 refused codes within an hour; ${minFailures} if not given.`),
    }),
  });
  app.get('/panel/workspaces/:workspace_id/abuse', route, async (request) => {
    const { workspaceId } = getMembership(request);
    const { query } = request;
    const hosts = Number(query.min_hosts ?? minHosts);
    const failures = Number(query.min_failures ?? minFailures);
    const before = (hours: number) => new Date(deps.now().getTime() - hours * hourMs);
    const common = { workspaceId, limit: maxListed };
    const busy = { ...common, since: before(hostDays * 24), minHosts: hosts };
    const failing = { ...common, since: before(failureHours), minFailures: failures };
    return answer(request, {
      min_hosts: hosts,
      min_failures: failures,
      purchases: (await selectBusyPurchases(deps.db, busy)).map(presentBusyPurchase),
      callers: (await selectFailingCallers(deps.db, failing)).map(presentFailingCaller),
      blocked: (await selectBlockedPurchases(deps.db, common)).map(presentListedPurchase),
    });
  });
}
