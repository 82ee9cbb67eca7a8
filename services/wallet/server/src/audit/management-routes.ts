// The audit log of a package, and that of the platform itself.

import { AuditAction, listMemberNames } from '@counterfoil/identity/audit-log';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../access-policy.ts';
import { platformTenant } from '../platform.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { presentAuditEvent, WalletAuditEntry } from './audit-event.ts';
import { listAudit, listUids } from './queries.ts';

const data = Type.Object({ entries: Type.Array(WalletAuditEntry), next_cursor: NextCursor });
const querystring = Type.Object({ ...PageQuery, action: AuditAction });

type Query = { limit?: string; cursor?: string; action?: string };

export function registerAuditManagement(app: App, policy: AccessPolicy, deps: { db: Db }): void {
  const show = async (request: FastifyRequest, of: { packageId: number; tenantId: bigint }) => {
    const { packageId, tenantId } = of;
    const query = request.query as Query;
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

  const summary = 'Who changed what in a package?';
  const schema = { ...managed(policy, { summary, data }), querystring };
  const params = Type.Object(PackageParams);
  const onRequest = policy.authorizeFor({ role: 'member' });
  const path = `${policy.packagePath}/audit-log`;
  app.get(path, { schema: { ...schema, params }, onRequest }, (request) =>
    show(request, getHome(request)),
  );
  if (!policy.isAdmin) return;
  const platform = { packageId: Number(platformTenant), tenantId: platformTenant };
  app.get(
    `${policy.prefix}/audit-log`,
    {
      schema: { ...schema, summary: 'Who changed what on the platform?' },
      onRequest: policy.authorize,
    },
    (request) => show(request, platform),
  );
}
