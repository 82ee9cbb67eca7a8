// The audit log of a workspace in the panel.

import {
  AuditAction,
  AuditEntry,
  listMemberNames,
  presentPerson,
} from '@counterfoil/identity/audit-log';
import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../workspaces/require-membership.ts';
import type { ListedAuditEvent } from './audit-event.ts';
import { listAudit } from './queries.ts';

const Entry = AuditEntry({
  kinds: ['person', 'api_key', 'operator'],
  actorId: Type.Integer(),
  own: {},
});

export function registerAuditPanelRoutes(app: App, deps: { db: Db; signIn: SignIn }): void {
  const entries = Type.Object({ entries: Type.Array(Entry), next_cursor: NextCursor });
  const schema = {
    ...panelRoute('Who changed what?', entries),
    security: sessionSecurity,
    params: Type.Object(WorkspaceParams),
    querystring: Type.Object({ ...PageQuery, action: AuditAction }),
  };
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  app.get('/panel/workspaces/:workspace_id/audit-log', { schema, onRequest }, async (request) => {
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
  address: event.actor.address ?? '',
  action: event.action,
  subject: event.subject,
  details: event.details,
});

function presentActor({ actor }: ListedAuditEvent, names: ReadonlyMap<bigint, string>) {
  if (actor.personId !== undefined) return presentPerson('person', actor.personId, names);
  if (actor.apiKeyId !== undefined) return { kind: 'api_key' as const, id: Number(actor.apiKeyId) };
  return { kind: 'operator' as const };
}
