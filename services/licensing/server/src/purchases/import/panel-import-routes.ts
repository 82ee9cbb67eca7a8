// Imports a file of purchases from the browser; the answer reports the progress line by line.
import { PassThrough, type Readable } from 'node:stream';
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { fail } from '../../errors.ts';
import { FileTooLargeError, withDraft } from '../../files/stored-file.ts';
import { getMembership, type PanelDeps, workspaceRoute } from '../../people/require-membership.ts';
import type { Format } from '../../transfer/open-rows.ts';
import { importPurchaseFile } from './import-purchase-file.ts';
import { presetCaution, presetNames } from './presets.ts';

type Deps = PanelDeps & { readonly filesDir: string };

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The stream of the answer, to which the progress lines are written. */
  readonly lines: PassThrough;
}

/**
 * The largest file that the panel accepts; it can contain more than a million sales. The command line imports
 * larger files.
 */
const maxBytes = 256 * 1024 * 1024;

const YesNo = Type.Optional(Type.Enum(['true', 'false']));
const Query = Type.Object({
  format: Type.Optional(Type.Enum(['csv', 'ndjson'])),
  dry_run: YesNo,
  update: YesNo,
  delimiter: Type.Optional(Type.String({ pattern: '^[^"\\r\\n]$' })),
  preset: Type.Optional(
    Type.Enum([...presetNames], {
      description: `A marketplace's CSV columns (${presetCaution}); \`map\` takes precedence.`,
    }),
  ),
  map: Type.Optional(
    Type.Union([Type.String({ maxLength: 300 }), Type.Array(Type.String(), { maxItems: 20 })], {
      description: '`field=column`, if the column of the file has another name; may be repeated.',
    }),
  ),
});

/** Uses a separate Fastify scope, because only this route gets its body as a stream. */
export function registerPurchaseImport(app: App, deps: Deps): void {
  const running = new Set<bigint>();
  const route = workspaceRoute(deps, 'member', {
    tags: ['Panel'],
    summary: 'Import purchases from a file',
    description:
      'The body is the file. The answer is NDJSON: a line `{"progress":…}` after each batch, ' +
      'and finally `{"done":…}` or `{"failed":…}`.',
    querystring: Query,
    body: { content: { 'text/csv': { schema: {} } } },
    response: {
      200: {
        description: 'The progress, line by line.',
        content: { 'application/x-ndjson': { schema: {} } },
      },
      '4xx': ErrorAnswer,
    },
  });
  const options = { ...route, bodyLimit: maxBytes, config: { slowBody: true, panelUpload: true } };
  app.register(async (plain) => {
    const scope = plain as unknown as App;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const path = '/panel/workspaces/:workspace_id/purchases/import';
    scope.post(path, options, async (request, reply) => {
      const { workspaceId } = getMembership(request);
      // A process runs only one import of a workspace at a time. A second import would not be faster, because
      // both imports would wait for locks on the same rows. Imports in other processes are not refused;
      // `lockImports` lets one batch at a time write.
      if (running.has(workspaceId)) throw fail('import_running');
      running.add(workspaceId);
      const lines = new PassThrough();
      try {
        await receive(deps, { request, reply: reply as unknown as FastifyReply, lines });
      } finally {
        // The import is removed from `running` before the answer ends. So a client can send the next file as
        // soon as it has read the whole answer.
        running.delete(workspaceId);
        lines.end();
      }
      return reply;
    });
  });
}

/** Stores the whole file first, so that no transaction waits for a slow client. */
async function receive(deps: Deps, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const source = (request.body as Readable | undefined) ?? request.raw;
  const query = request.query as Static<typeof Query>;
  try {
    await withDraft(deps.filesDir, source, {
      maxBytes,
      work: (file) => importAndReport(deps, exchange, { file, query }),
    });
  } catch (error) {
    if (error instanceof FileTooLargeError) throw fail('body_too_large');
    throw error;
  }
}

async function importAndReport(
  deps: Deps,
  { request, reply, lines }: Exchange,
  { file, query }: { file: string; query: Static<typeof Query> },
): Promise<void> {
  const { workspaceId, actor } = getMembership(request);
  const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
  reply.type('application/x-ndjson; charset=utf-8').header('x-accel-buffering', 'no').send(lines);
  try {
    const done = await importPurchaseFile(deps, {
      file,
      workspaceId,
      actor,
      format: (query.format ?? 'csv') as Format,
      delimiter: query.delimiter ?? ',',
      map: [query.map ?? []].flat(),
      preset: query.preset,
      dryRun: query.dry_run === 'true',
      update: query.update === 'true',
      onProgress: (progress) => {
        if (reply.raw.destroyed) throw new CommandRefused('the browser disconnected');
        write({ progress });
      },
    });
    write({ done });
  } catch (error) {
    // The answer has already begun, so its last line reports the error.
    const isRefusal = error instanceof CommandRefused;
    if (!isRefusal) request.log.error({ err: error }, 'an import failed');
    write({ failed: { msg: isRefusal ? error.message : 'Internal error', request_id: request.id } });
  }
}
