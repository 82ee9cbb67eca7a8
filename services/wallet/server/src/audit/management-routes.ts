// Routes that list the audit log of a package and the audit log of the platform.

import { AuditAction, listMemberNames } from '@counterfoil/identity/audit-log';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute, platformRoute } from '../access-policy.ts';
import { platformTenant } from '../platform.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { presentAuditEvent, WalletAuditEntry } from './audit-event.ts';
import { listAudit, listUids } from './queries.ts';

const data = Type.Object({ entries: Type.Array(WalletAuditEntry), next_cursor: NextCursor });
const querystring = Type.Object({ ...PageQuery, action: AuditAction });

export function registerAuditManagement(app: App, policy: AccessPolicy, deps: { db: Db }): void {
  const show = async (request: FastifyRequest, of: { packageId: number; tenantId: bigint }) => {
    const { packageId, tenantId } = of;
    const query = request.query as Static<typeof querystring>;
    const page = readPage(query, 'audit');
    const events = await listAudit(deps.db, { packageId, ...page, action: query.action });
    const tenants = policy.isAdmin ? [tenantId, platformTenant] : [tenantId];
    const reader = {
      names: await listMemberNames(deps.db, tenants),
      uids: await listUids(deps.db, events),
      isAdministrator: policy.isAdmin,
    };
    return answer(request, {
      entries: events.map((event) => presentAuditEvent(event, reader)),
      ...presentNext(page, events, (event) => event.id),
    });
  };

  const summary = 'List the audit log of a package';
  const route = packageRoute(policy, { role: 'member', summary, data }, { querystring });
  app.get(`${policy.packagePath}/audit-log`, route, (request) => show(request, getHome(request)));
  if (!policy.isAdmin) return;
  const platform = { packageId: Number(platformTenant), tenantId: platformTenant };
  const shown = { summary: 'List the audit log of the platform', data };
  const options = platformRoute(policy, shown, { querystring });
  app.get(`${policy.prefix}/audit-log`, options, (request) => show(request, platform));
}
