// The audit log of a workspace in the panel.

import { answer, panelRoute, presentTime, sessionSecurity } from '@counterfoil/identity/answers';
import { listMembers } from '@counterfoil/identity/members/list-members';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { getVisit, requireMembership, WorkspaceParams } from '../people/require-membership.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';
import { listAudit } from './list-audit.ts';

const Entry = named(
  'AuditEntry',
  Type.Object({
    id: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    actor: Type.Object({
      kind: Type.Enum(['person', 'api_key', 'operator']),
      id: Type.Optional(Type.Integer()),
      name: Type.Optional(Type.String({ description: 'Of a person who is a member still.' })),
    }),
    address: Type.String(),
    action: Type.String(),
    subject: Type.Object({ kind: Type.String(), id: Type.String() }),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
);

export function registerAuditPanelRoutes(app: App, deps: { db: Db; signIn: SignIn }): void {
  const entries = Type.Object({ entries: Type.Array(Entry), next_cursor: NextCursor });
  const schema = {
    ...panelRoute('Who changed what?', entries),
    security: sessionSecurity,
    params: Type.Object(WorkspaceParams),
    querystring: Type.Object({
      ...PageQuery,
      action: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$' })),
    }),
  };
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  app.get('/panel/workspaces/:workspace_id/audit-log', { schema, onRequest }, async (request) => {
    const { workspaceId } = getVisit(request);
    const page = readPage(request.query);
    const { action } = request.query;
    const events = await listAudit(deps.db, { workspaceId, page, action });
    const members = await listMembers(deps.db, workspaceId);
    const names = new Map(members.map((member) => [member.personId, member.name]));
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
  if (actor.personId !== undefined) {
    const name = names.get(actor.personId);
    return {
      kind: 'person' as const,
      id: Number(actor.personId),
      ...(name !== undefined && { name }),
    };
  }
  if (actor.apiKeyId !== undefined) return { kind: 'api_key' as const, id: Number(actor.apiKeyId) };
  return { kind: 'operator' as const };
}
