// Tells the usage sink of every answer to a request that came with a live key.
import type { App } from '@counterfoil/kit/app';
import { errors } from '../errors.ts';
import type { UsageSink } from './usage-sink.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a request was about, for its trace. */
    subject: { readonly itemId: bigint | undefined; readonly codeHint: string | undefined } | null;
  }
}

const table: Readonly<Record<string, { readonly status: number } | undefined>> = errors.table;
const statusOf = (code: string | null) => (code === null ? undefined : table[code]?.status);

export function reportRequests(app: App, options: { usage: UsageSink; now: () => Date }): void {
  app.decorateRequest('subject', null);
  app.addHook('onResponse', (request, reply, done) => {
    const { apiKey, subject } = request;
    if (apiKey) {
      options.usage.onRequest({
        workspaceId: apiKey.workspaceId,
        apiKeyId: apiKey.id,
        address: request.ip,
        at: options.now(),
        method: request.method,
        route: request.routeOptions.url ?? '',
        // What a key for old plug-ins has softened is a refusal all the same.
        status: statusOf(reply.failureCode) ?? reply.statusCode,
        code: reply.failureCode ?? undefined,
        durationMs: reply.elapsedTime,
        requestId: request.id,
        itemId: subject?.itemId,
        codeHint: subject?.codeHint,
      });
    }
    done();
  });
}
