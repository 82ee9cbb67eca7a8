// Lets pages of other sites call what a publishable key is for; no cookie goes with such a call.
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { fail } from './errors.ts';

/** What buyers' installs call, some of which are pages. */
const paths = [
  '/api/purchases/validation',
  '/api/v1/activations',
  '/api/v1/activations/release',
] as const;

/** To be called before the routes: it settles headers of theirs. */
export function allowOtherOrigins(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (request.headers.origin !== undefined && paths.some((path) => path === url)) {
      reply.header('access-control-allow-origin', '*');
      reply.header('access-control-expose-headers', 'retry-after, x-request-id');
    }
    done();
  });
  for (const path of paths) answerPreflight(app, path);
}

/** Before the call itself a browser asks what it may send; any other OPTIONS is a wrong method. */
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
      .header('access-control-allow-headers', 'content-type, x-api-key, authorization')
      .header('access-control-max-age', '86400')
      .send();
  });
}
