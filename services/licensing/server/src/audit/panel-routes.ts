// The audit log of a workspace in the panel.

import { AuditAction, AuditEntry, listMemberNames, presentPerson } from '@counterfoil/identity/audit-log';
import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';
import { listAudit } from './queries.ts';

const Entry = AuditEntry({
  kinds: ['person', 'api_key', 'buyer', 'operator'],
  actorId: Type.Integer(),
  own: {},
});

export function registerAuditPanelRoutes(app: App, deps: PanelDeps): void {
  const entries = Type.Object({ entries: Type.Array(Entry), next_cursor: NextCursor });
  const route = workspaceRoute(deps, 'member', {
    ...panelRoute('List the audit log', entries),
    querystring: Type.Object({ ...PageQuery, action: AuditAction }),
  });
  app.get('/panel/workspaces/:workspace_id/audit-log', route, async (request) => {
    const { workspaceId } = getMembership(request);
    const page = readPage(request.query);
    const { action } = request.query;
    const events = await listAudit(deps.db, { workspaceId, page, action });
    const names = await listMemberNames(deps.db, [workspaceId]);
    return answer(request, {
      entries: events.map((event) => present(event, names)),
      ...presentNext(page, events, (event) => [event.id]),
    });
  });
}

const present = (event: ListedAuditEvent, names: ReadonlyMap<bigint, string>) => ({
  id: Number(event.id),
  at: presentTime(event.at),
  actor: presentActor(event, names),
  address: event.address,
  action: event.action,
  subject: { kind: event.subjectKind, id: event.subjectId },
  details: event.details,
});

function presentActor(event: ListedAuditEvent, names: ReadonlyMap<bigint, string>) {
  const { actorPersonId: personId, actorApiKeyId: apiKeyId } = event;
  if (personId !== undefined) return presentPerson('person', personId, names);
  if (apiKeyId !== undefined) return { kind: 'api_key' as const, id: Number(apiKeyId) };
  return { kind: event.actorIsBuyer ? ('buyer' as const) : ('operator' as const) };
}
