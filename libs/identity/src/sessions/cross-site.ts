// Refuses a request to the panel if another site made a signed-in browser send it.

import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import type { SignIn } from './sign-in.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Content types that a page may send to another site without a preflight request (Fetch, "CORS-safelisted").
 */
const formTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Protects every route whose pattern begins with `/panel/`, including the routes that the services add. GET,
 * HEAD and OPTIONS requests are always accepted, because they change nothing. The check uses the pattern of
 * the route, because a URL can be spelled in several ways (`/%70anel/`). Register panel routes only after
 * this call.
 */
export function refuseCrossSiteRequests(app: App, signIn: Pick<SignIn, 'publicUrl' | 'errors'>): void {
  const origins = allowedOrigins(signIn.publicUrl);
  app.addHook('onRequest', (request, _reply, done) => {
    const guarded = request.routeOptions.url?.startsWith('/panel/') ?? false;
    if (!guarded || safeMethods.has(request.method) || isOwnRequest(request, origins)) done();
    else {
      const msg = `This request must come from the panel at ${signIn.publicUrl.origin}`;
      done(signIn.errors.fail('cross_site_refused', { msg }));
    }
  });
}

/**
 * Returns the origins of the panel. A panel on this machine may be opened under each name of the loopback
 * address.
 */
function allowedOrigins(publicUrl: URL): readonly string[] {
  if (!loopbackHosts.includes(publicUrl.hostname)) return [publicUrl.origin];
  const port = publicUrl.port === '' ? '' : `:${publicUrl.port}`;
  return loopbackHosts.map((host) => `${publicUrl.protocol}//${host}${port}`);
}

type Arrived = Pick<FastifyRequest, 'headers' | 'method' | 'routeOptions'>;

function isOwnRequest(request: Arrived, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !origins.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  // Only browsers set the headers `Origin` and `Sec-Fetch-Site`. If one of them names the panel's own site,
  // the panel sent the request. A request of the panel needs no content type if it has no body.
  const isFromPanel = origin !== undefined || site === 'same-origin';
  return hasOwnContentType(request, isFromPanel);
}

function hasOwnContentType(request: Arrived, isFromPanel: boolean): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return true;
  // A DELETE without a body has no content type. It is still safe. A form cannot send a DELETE. A script of
  // another site must first send a preflight request, and the service refuses that request.
  if (type === undefined) return isFromPanel || request.method === 'DELETE';
  return request.routeOptions.config.panelUpload === true && !formTypes.has(type);
}
