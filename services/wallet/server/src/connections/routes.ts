// /providers/{id}/…: the addresses that providers call, each in the dialect of its connection.
import type { App } from '@counterfoil/kit/http/app';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import type { FastReply, FastRoute } from '@counterfoil/kit/http/transport/fast-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import { isAddressAllowed } from '../packages/callers/authenticate.ts';
import { answerEarly, answerProvider, type ProviderDeps } from './answer-provider.ts';
import { providersPrefix, splitUrl } from './connection.ts';
import type { ProviderRequest } from './dialects/dialect.ts';
import type { ConnectionFinder } from './find-connection.ts';

export interface ProviderRouteDeps extends ProviderDeps {
  readonly connections: ConnectionFinder;
}

/** Larger bodies are refused by the router, and the dialect presents this failure. */
const maxBodyBytes = 64 * 1024;

/** The fast path: serves the calls of connections that are in the cache. */
export const fastProviderCall = (deps: ProviderRouteDeps): FastRoute => ({
  path: '/providers/:id/*',
  prefix: providersPrefix,
  authorize: (raw) => {
    const { url = '', method = '', headers } = raw;
    const { id, path, query } = splitUrl(url);
    const found = deps.connections.peek(id);
    if (!found || found.customerPackage.callbackAddresses.length > 0) return undefined;
    return (body: Buffer, responder: FastReply) => {
      const request = { method, path, query, headers, body };
      answerProvider(deps, { found, request, responder });
      return true;
    };
  },
});

export function registerProviderRoutes(app: App, deps: ProviderRouteDeps): void {
  // A separate scope, in which bodies stay bytes, because signatures are checked on them.
  app.register(async (given) => {
    const scope = given as unknown as App;
    scope.removeAllContentTypeParsers();
    const pass = (_request: unknown, body: unknown, done: (e: null, body: unknown) => void) =>
      done(null, body);
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, pass);
    // These routes are not in the OpenAPI document, because the providers document their own protocols.
    const schema = { hide: true, response: {} };
    const handle = (request: FastifyRequest, reply: FastifyReply) => answer(deps, request, reply);
    for (const url of ['/providers/:id', '/providers/:id/*']) {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
        url,
        schema,
        bodyLimit: maxBodyBytes,
        handler: handle,
      });
    }
  });
}

async function answer(deps: ProviderRouteDeps, request: FastifyRequest, reply: FastifyReply) {
  const { id, path, query } = splitUrl(request.url);
  const found = await deps.connections.find(id);
  if (!found) throw fail('route_not_found');
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const sent: ProviderRequest = { method: request.method, path, query, headers: request.headers, body };
  const context = { found, request: sent, responder: new RouterResponder(request, reply) };
  if (isAddressAllowed(found.customerPackage.callbackAddresses, request.ip)) answerProvider(deps, context);
  // The dialects have no error for a wrong sender address. A sender with an address that is not allowed may
  // be an impostor, so the answer is the same as for a forged signature.
  else answerEarly(deps, context, 'forged', { code: 'address_not_allowed' });
  return reply;
}
