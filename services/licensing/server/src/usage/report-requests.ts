// Reports every answered request with a valid key to the usage sink.
import type { App } from '@counterfoil/kit/http/app';
import { createCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { ApiKey } from '../authentication/api-key.ts';
import { errors } from '../errors.ts';
import type { UsageSink } from './usage-sink.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The item and the end of the code of a request, for the request log. */
    subject: { readonly itemId: bigint | undefined; readonly codeHint: string | undefined } | null;
  }
}

const table: Readonly<Record<string, { readonly status: number } | undefined>> = errors.table;

/** The length of an origin with the longest possible host name, including scheme and port. */
const maxOriginLength = 270;

/**
 * Returns the Origin of the web page that sent a secret key, or undefined. Servers usually send no Origin.
 * The Origin of this service is ignored, because the page of its API reference sends the key that the reader
 * has typed.
 */
function findPageOrigin(key: ApiKey, origin: string | undefined, own: string): string | undefined {
  const isFromPage = key.kind === 'secret' && origin && origin !== own;
  return isFromPage ? origin.slice(0, maxOriginLength) : undefined;
}

export function reportRequests(
  app: App,
  options: { usage: UsageSink; registry: Metrics; ownOrigin: string; now: () => Date },
): void {
  const fromPages = createCounter(options.registry, {
    name: 'secret_key_page_requests_total',
    help: 'Requests with a secret API key and the Origin of another site: the key is in a web page',
  });
  app.decorateRequest('subject', null);
  app.addHook('onResponse', (request, reply, done) => {
    const { apiKey, subject } = request;
    const code = reply.failure?.code;
    if (apiKey) {
      const pageOrigin = findPageOrigin(apiKey, request.headers.origin, options.ownOrigin);
      if (pageOrigin !== undefined) fromPages.add();
      options.usage.onRequest({
        workspaceId: apiKey.workspaceId,
        apiKeyId: apiKey.id,
        address: request.ip,
        at: options.now(),
        method: request.method,
        route: request.routeOptions.url ?? '',
        // A key for old plug-ins gets refusals with status 200. The log contains the status that other keys
        // would get.
        status: table[code ?? '']?.status ?? reply.statusCode,
        code,
        durationMs: reply.elapsedTime,
        requestId: request.id,
        itemId: subject?.itemId,
        codeHint: subject?.codeHint,
        pageOrigin,
      });
    }
    done();
  });
}
