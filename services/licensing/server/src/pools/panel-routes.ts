// Exports the free codes of a pool to the browser of an owner.
import { pipeline, Readable } from 'node:stream';
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Id } from '@counterfoil/kit/http/parameters';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  getMembership,
  type PanelDeps,
  WorkspaceParams,
  workspaceRoute,
} from '../people/require-membership.ts';
import { createRowWriter } from '../transfer/write-rows.ts';
import { exportCodes, poolExportColumns } from './export-codes.ts';

export function registerPoolExport(app: App, deps: PanelDeps): void {
  const route = workspaceRoute(deps, 'owner', {
    tags: ['Panel'],
    summary: 'Export the free codes of a pool as CSV',
    description: 'Only owners can export codes. The audit log records the export.',
    params: Type.Object({ ...WorkspaceParams, pool_id: Id }),
    response: {
      200: { description: 'The file.', content: { 'text/csv': { schema: {} } } },
      '4xx': ErrorAnswer,
    },
  });
  const path = '/panel/workspaces/:workspace_id/pools/:pool_id/export';
  app.get(path, { ...route, exposeHeadRoute: false }, async (request, reply) => {
    const caller = getMembership(request);
    const now = deps.now();
    const poolId = BigInt(request.params.pool_id);
    const rows = await exportCodes(deps, { caller, poolId, now });
    const writer = createRowWriter('csv', poolExportColumns);
    // An error aborts the answer, so that an incomplete file does not look complete.
    pipeline(Readable.from(rows), writer, (error) => {
      if (error) request.log.warn({ err: error }, 'an export was aborted');
    });
    const name = `pool-${poolId}-${now.toISOString().slice(0, 10)}.csv`;
    return (reply as unknown as FastifyReply)
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(writer);
  });
}
