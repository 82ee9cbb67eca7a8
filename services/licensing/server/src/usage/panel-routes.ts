// Counts of validations for the panel's dashboard.

import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id, parseId } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { Moment, parseTime } from '../wire/input.ts';
import { refuseField } from '../wire/refusals.ts';
import { listUsage } from './queries.ts';
import { startOfHour } from './usage-buffer.ts';

const dayMs = 86_400_000;
const maxDays = 92;

const Counts = { valid: Type.Integer(), invalid: Type.Integer() };
const Usage = Type.Object({
  hours: Type.Array(Type.Object({ hour: Type.String({ format: 'date-time' }), ...Counts })),
  items: Type.Array(
    Type.Object({
      item_id: Type.Optional(Type.Integer({ description: 'Absent if the code belongs to no item.' })),
      ...Counts,
    }),
    { description: 'The 100 items with the most validations.' },
  ),
});

export function registerUsagePanelRoutes(app: App, deps: PanelDeps): void {
  const route = workspaceRoute(deps, 'member', {
    ...panelRoute('Count the validations of a workspace', Usage),
    description: `Counts by hour (UTC) for at most ${maxDays} days; by default for the last 24 hours.`,
    querystring: Type.Object({
      from: Type.Optional(Moment),
      to: Type.Optional(Moment),
      item_id: Type.Optional(Id),
    }),
  });
  app.get('/panel/workspaces/:workspace_id/usage', route, async (request) => {
    const { workspaceId } = getMembership(request);
    const { item_id: item } = request.query;
    const itemId = item === undefined ? undefined : parseId(item);
    const time = readTime(request.query, deps.now());
    const usage = await listUsage(deps.db, { workspaceId, itemId, ...time });
    return answer(request, {
      hours: usage.hours.map((each) => ({ hour: presentTime(each.hour), ...presentCounts(each) })),
      items: usage.items.map((each) => ({
        ...(each.item_id !== 0n && { item_id: Number(each.item_id) }),
        ...presentCounts(each),
      })),
    });
  });
}

const presentCounts = (counts: { valid: bigint; invalid: bigint }) => ({
  valid: Number(counts.valid),
  invalid: Number(counts.invalid),
});

function readTime(query: { from?: string; to?: string }, now: Date): { from: Date; to: Date } {
  const to = parseTime('to', query.to) ?? new Date(now.getTime() + 1);
  const from = parseTime('from', query.from) ?? startOfHour(new Date(to.getTime() - dayMs));
  if (to.getTime() - from.getTime() <= maxDays * dayMs) return { from, to };
  throw refuseField('from', `must be within ${maxDays} days before the end.`);
}
