// The first page of the panel: sales, support that ends soon, and the progress of a new seller.
import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { toJsonNumber } from '@counterfoil/kit/money';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import { sumByCurrency, summariseSales } from '../purchases/management/summarise-sales.ts';
import { Overview, readProgress } from './overview.ts';

export function registerOverviewPanelRoutes(app: App, deps: PanelDeps): void {
  const route = workspaceRoute(deps, 'member', panelRoute('Summarise a workspace', Overview));
  app.get('/panel/workspaces/:workspace_id/overview', route, async (request) => {
    const { workspaceId } = getMembership(request);
    const now = deps.now();
    const { days, supportEnding } = await summariseSales(deps.db, { workspaceId, now });
    return answer(request, {
      sales: days.map((sum) => ({ day: presentTime(sum.day), ...presentSum(sum) })),
      totals: sumByCurrency(days).map(presentSum),
      support_ending: {
        count: Number(supportEnding.count),
        next: supportEnding.next.map(presentListedPurchase),
      },
      progress: await readProgress(deps.db, workspaceId, now),
    });
  });
}

const presentSum = (sum: { currency: string; count: bigint; totalMinor: bigint }) => ({
  currency: sum.currency,
  count: Number(sum.count),
  total: toJsonNumber(sum.totalMinor, sum.currency),
});
