// The panel's first page: sales, support that runs out, and how far a newcomer has come.

import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import { sumByCurrency, summariseSales } from '../purchases/summarise-sales.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../workspaces/require-membership.ts';
import { Overview } from './overview.ts';
import { readProgress } from './read-progress.ts';

export function registerOverviewPanelRoutes(
  app: App,
  deps: { db: Db; signIn: SignIn; now: () => Date },
): void {
  const schema = {
    ...panelRoute('How does the workspace do?', Overview),
    security: sessionSecurity,
    params: Type.Object(WorkspaceParams),
  };
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  app.get('/panel/workspaces/:workspace_id/overview', { schema, onRequest }, async (request) => {
    const { workspaceId } = getMembership(request);
    const now = deps.now();
    const { days, supportEnding } = await summariseSales(deps.db, { workspaceId, now });
    return answer(request, {
      sales: days.map((each) => ({
        day: presentTime(each.day),
        currency: each.currency,
        count: Number(each.count),
        total: toJsonNumber(each.totalMinor, each.currency),
      })),
      totals: sumByCurrency(days).map((each) => ({
        currency: each.currency,
        count: Number(each.count),
        total: toJsonNumber(each.totalMinor, each.currency),
      })),
      support_ending: {
        count: Number(supportEnding.count),
        next: supportEnding.next.map(presentListedPurchase),
      },
      progress: await readProgress(deps.db, workspaceId, now),
    });
  });
}
