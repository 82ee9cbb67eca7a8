// Logs one line per answer, with the route's pattern.
import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';

/**
 * Returns the pattern of the route, in which numeric parameters are replaced by their values. The path that
 * the client sent is not logged, because it may contain a secret. Examples are the token of a download link,
 * and a key that was sent in place of an id.
 */
function presentPath(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (request.is404 || url === undefined) return 'unknown';
  const params = (request.params ?? {}) as Record<string, string>;
  return url.replace(/:(\w+)/g, (place, name: string) => {
    const value = params[name] ?? '';
    return /^\d{1,18}$/.test(value) ? value : place;
  });
}

export function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: presentPath(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        address: request.ip,
      },
      'request',
    );
    done();
  });
}
