// CORS for the operations that a publishable key allows. Pages of other sites may call these operations,
// without cookies.
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { fail } from './errors.ts';

/** The operations that buyers' sites call, some of them from web pages. */
const paths = [
  '/api/purchases/validation',
  '/api/v1/activations',
  '/api/v1/activations/release',
  '/api/v1/licences',
  '/vendors/:publishable_key/v1/licenses/activate',
  '/vendors/:publishable_key/v1/licenses/deactivate',
  '/vendors/:publishable_key/v1/licenses/validate',
  '/vendors/:publishable_key/v2/licenses/verify',
] as const;

const exposed = 'retry-after, x-request-id';
/** The headers of a signed answer. They are sent only if the request has a nonce. */
const signature = 'content-digest, signature, signature-input';

/**
 * Allows pages of other sites to call the operations in `paths`. The function adds a hook that sets the
 * headers. A hook applies only to routes that are registered later, so call this function before the routes
 * are registered.
 */
export function allowOtherOrigins(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (request.headers.origin !== undefined && paths.some((path) => path === url)) {
      reply.header('access-control-allow-origin', '*');
      const isSigned = request.headers['x-nonce'] !== undefined;
      reply.header('access-control-expose-headers', isSigned ? `${exposed}, ${signature}` : exposed);
    }
    done();
  });
  for (const path of paths) answerPreflight(app, path);
}

/** Answers preflight requests. Any other OPTIONS request gets 405. */
function answerPreflight(app: App, path: string): void {
  const schema = { hide: true, response: { 204: Type.Null() } };
  const route = { schema, config: { isPreflight: true } };
  app.options(path, route, async (request, reply) => {
    if (request.headers['access-control-request-method'] === undefined) {
      throw fail('method_not_allowed', { headers: { allow: app.listMethods(path).join(', ') } });
    }
    return (reply as FastifyReply)
      .code(204)
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', 'content-type, x-api-key, authorization, x-nonce')
      .header('access-control-max-age', '86400')
      .send();
  });
}
