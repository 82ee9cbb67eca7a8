// Counts of validations for the panel's dashboard.

import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id, parseId } from '@counterfoil/kit/http/parameters';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { Moment, parseTime } from '../wire/input.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../workspaces/require-membership.ts';
import { listUsage } from './list-usage.ts';
import { startOfHour } from './validation-hour.ts';

const dayMs = 86_400_000;
const maxDays = 92;

const Counts = { valid: Type.Integer(), invalid: Type.Integer() };
const Usage = Type.Object({
  hours: Type.Array(Type.Object({ hour: Type.String({ format: 'date-time' }), ...Counts })),
  items: Type.Array(
    Type.Object({
      item_id: Type.Optional(Type.Integer({ description: 'Absent: the code led to none.' })),
      ...Counts,
    }),
    { description: 'The hundred busiest.' },
  ),
});

export function registerUsagePanelRoutes(
  app: App,
  deps: { db: Db; signIn: SignIn; now: () => Date },
): void {
  const schema = {
    ...panelRoute('How often were codes validated?', Usage),
    description: `By hour (UTC), the last 24 hours where no time is given, at most ${maxDays} days.`,
    security: sessionSecurity,
    params: Type.Object(WorkspaceParams),
    querystring: Type.Object({
      from: Type.Optional(Moment),
      to: Type.Optional(Moment),
      item_id: Type.Optional(Id),
    }),
  };
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  app.get('/panel/workspaces/:workspace_id/usage', { schema, onRequest }, async (request) => {
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
  const to = query.to === undefined ? new Date(now.getTime() + 1) : parseTime('to', query.to);
  const dayBefore = startOfHour(new Date(to.getTime() - dayMs));
  const from = query.from === undefined ? dayBefore : parseTime('from', query.from);
  if (to.getTime() - from.getTime() <= maxDays * dayMs) return { from, to };
  throw fail('invalid_parameter', {
    errors: { from: [`must be within ${maxDays} days before the end.`] },
  });
}
