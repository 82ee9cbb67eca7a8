// Exports purchases to the browser as a file.
import { pipeline, Readable } from 'node:stream';
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { ReportReader } from '@counterfoil/kit/postgres/report-reader';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { getMembership, type PanelDeps, workspaceRoute } from '../../people/require-membership.ts';
import { createRowWriter } from '../../transfer/write-rows.ts';
import { exportPurchases, purchaseExportColumns } from './export-purchases.ts';

const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' };

export function registerPurchaseExport(app: App, deps: PanelDeps & { reports: ReportReader }): void {
  const route = workspaceRoute(deps, 'member', {
    tags: ['Panel'],
    summary: 'Export all purchases as a file',
    description: 'Codes are masked unless an owner requests them. The audit log records the export.',
    querystring: Type.Object({
      format: Type.Optional(Type.Enum(['csv', 'ndjson'])),
      with_codes: Type.Optional(Type.Enum(['true', 'false'])),
    }),
    response: {
      200: {
        description: 'The file.',
        content: { 'text/csv': { schema: {} }, 'application/x-ndjson': { schema: {} } },
      },
      '4xx': ErrorAnswer,
    },
  });
  const path = '/panel/workspaces/:workspace_id/purchases/export';
  app.get(path, { ...route, exposeHeadRoute: false }, async (request, reply) => {
    const { workspaceId, actor, isOwner } = getMembership(request);
    const { format = 'csv', with_codes: codes } = request.query;
    const withCodes = codes === 'true';
    if (withCodes && !isOwner) throw fail('forbidden');
    const at = deps.now();
    const subject = { kind: 'purchases', id: 'all' };
    const details = { with_codes: withCodes };
    const event = { workspaceId, at, actor, action: 'purchases_exported', subject, details };
    await deps.db.transaction((tx) => recordAudit(tx, event));
    const source = await deps.reports.open();
    const asked = { workspaceId, withCodes };
    const rows = Readable.from(exportPurchases({ ...deps, db: source.db }, asked));
    const writer = createRowWriter(format, purchaseExportColumns(withCodes));
    // An error aborts the answer, so that an incomplete file does not look complete. If the browser
    // disconnects, the export stops.
    pipeline(rows, writer, (error) => {
      source.close();
      if (error) request.log.warn({ err: error }, 'an export was aborted');
    });
    const name = `purchases-${at.toISOString().slice(0, 10)}.${format}`;
    return (reply as unknown as FastifyReply)
      .type(types[format])
      .header('content-disposition', `attachment; filename="${name}"`)
      .headers(source.headers)
      .send(writer);
  });
}
