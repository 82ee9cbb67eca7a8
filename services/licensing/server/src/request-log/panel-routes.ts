// The request log of a workspace in the panel.

import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id, parseId } from '@counterfoil/kit/http/parameters';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { Moment, parseTime } from '../wire/input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { LoggedRequestAnswer, presentLoggedRequest } from './logged-request.ts';
import { listRequests } from './request-log.ts';

const Query = Type.Object({
  ...PageQuery,
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}\\.[0-9]{1,18}$',
      description: 'The `next_cursor` of the page before.',
    }),
  ),
  status: Type.Optional(Type.String({ pattern: '^[1-5]([0-9]{2}|xx)$', examples: ['404', '4xx'] })),
  code: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$', examples: ['purchase_not_found'] })),
  route: Type.Optional(PrintableText({ max: 200, examples: ['/api/purchases/validation'] })),
  api_key_id: Type.Optional(Id),
  from_page: Type.Optional(
    Type.Enum(['true'], { description: 'Only requests in which a web page sent a secret key.' }),
  ),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
});

export function registerRequestLogPanelRoutes(app: App, deps: PanelDeps): void {
  const Listed = Type.Object({ requests: Type.Array(LoggedRequestAnswer), next_cursor: NextCursor });
  const route = workspaceRoute(deps, 'member', {
    ...panelRoute('List the requests made with the keys of a workspace', Listed),
    description: 'Requests are logged in the background, about a second after their answer.',
    querystring: Query,
  });
  app.get('/panel/workspaces/:workspace_id/requests', route, async (request) => {
    const { query } = request;
    const page = readPage(query);
    const lines = await listRequests(deps.db, {
      workspaceId: getMembership(request).workspaceId,
      page,
      from: parseTime('from', query.from) ?? new Date(0),
      to: parseTime('to', query.to) ?? inAnHour(deps.now()),
      status: query.status === undefined ? undefined : parseStatus(query.status),
      code: query.code,
      route: query.route,
      fromPage: query.from_page === 'true',
      apiKeyId: query.api_key_id === undefined ? undefined : parseId(query.api_key_id),
    });
    const next = presentNext(page, lines, (line) => [BigInt(line.at.getTime()), line.id]);
    return answer(request, { requests: lines.map(presentLoggedRequest), ...next });
  });
}

/**
 * The default end of the period. It is in the future, so that the period includes requests of a process whose
 * clock is ahead.
 */
const inAnHour = (now: Date) => new Date(now.getTime() + 3_600_000);

/** Parses a filter for the status: `404` means one status, and `4xx` means 400 to 499. */
const parseStatus = (text: string) => ({
  least: Number(text.replace('xx', '00')),
  most: Number(text.replace('xx', '99')),
});
