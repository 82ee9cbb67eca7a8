// Refuses what another site makes a signed-in browser send to the panel.

import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import type { SignIn } from './sign-in.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What a page may send to another site without asking it first (Fetch, "CORS-safelisted"). */
const formTypes = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Guards every route whose pattern begins with `/panel/`, the services' own as well. The pattern
 * decides, not the address as it came: that may be spelled in other ways (`/%70anel/`). Plug-ins
 * that bring panel routes must be registered after this.
 */
export function refuseCrossSiteRequests(
  app: App,
  signIn: Pick<SignIn, 'publicUrl' | 'errors'>,
): void {
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

/** Whoever runs this on their own machine may call it by either name. */
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
  // Only a browser writes these two, and it says who is asking: a request without a body needs no type.
  const isFromPanel = origin !== undefined || site === 'same-origin';
  return hasOwnContentType(request, isFromPanel);
}

function hasOwnContentType(request: Arrived, isFromPanel: boolean): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return true;
  // A DELETE without a body has no type; no form can send it, and a script must ask first.
  if (type === undefined) return isFromPanel || request.method === 'DELETE';
  return request.routeOptions.config.panelUpload === true && !formTypes.has(type);
}
