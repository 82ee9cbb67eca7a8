// The audit log of a package, and that of the platform itself.

import { answer } from '@counterfoil/identity/answers';
import { listMembers } from '@counterfoil/identity/members/list-members';
import type { App } from '@counterfoil/kit/http/app';
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Door, getHome, managed, PackageParams } from '../access-policy.ts';
import { platformTenant } from '../platform.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { AuditEntry, presentAuditEvent } from './audit-event.ts';
import { listAudit, listUids } from './list-audit.ts';

const data = Type.Object({ entries: Type.Array(AuditEntry), next_cursor: NextCursor });
const querystring = Type.Object({
  ...PageQuery,
  action: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$' })),
});

type Query = { limit?: string; cursor?: string; action?: string };

export function registerAuditManagement(app: App, door: Door, deps: { db: Db }): void {
  const show = async (request: FastifyRequest, of: { packageId: number; tenantId: bigint }) => {
    const { packageId, tenantId } = of;
    const query = request.query as Query;
    const page = readPage(query, 'audit');
    const events = await listAudit(deps.db, { packageId, ...page, action: query.action });
    const tenants = door.isAdmin ? [tenantId, platformTenant] : [tenantId];
    const reader = {
      names: await listNames(deps.db, tenants),
      uids: await listUids(deps.db, events),
      isAdministrator: door.isAdmin,
    };
    return answer(request, {
      entries: events.map((event) => presentAuditEvent(event, reader)),
      ...presentNext(page, events, (event) => event.id),
    });
  };

  const summary = 'Who changed what in a package?';
  const schema = { ...managed(door, { summary, data }), querystring };
  const params = Type.Object(PackageParams);
  const onRequest = door.admitTo({ role: 'member' });
  const path = `${door.packagePath}/audit-log`;
  app.get(path, { schema: { ...schema, params }, onRequest }, (request) =>
    show(request, getHome(request)),
  );
  if (!door.isAdmin) return;
  const platform = { packageId: Number(platformTenant), tenantId: platformTenant };
  app.get(
    `${door.prefix}/audit-log`,
    { schema: { ...schema, summary: 'Who changed what on the platform?' }, onRequest: door.admit },
    (request) => show(request, platform),
  );
}

async function listNames(db: Queryable, tenants: readonly bigint[]): Promise<Map<bigint, string>> {
  const names = new Map<bigint, string>();
  for (const tenantId of tenants) {
    for (const member of await listMembers(db, tenantId)) names.set(member.personId, member.name);
  }
  return names;
}
