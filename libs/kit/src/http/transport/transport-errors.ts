// What is wrong with a request before any route has a say: its address, its hosts, its size, too many.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';
import { countHosts } from '../headers.ts';

interface Errors {
  readonly errors: ServiceErrors<TransportErrorCode>;
}

const maxUrlBytes = 8 * 1024;

export const isLongUrl = (raw: IncomingMessage) => (raw.url?.length ?? 0) > maxUrlBytes;

export function refuseTransportFaults(
  app: App,
  { errors, maxInFlight = 4096 }: Errors & { readonly maxInFlight?: number },
): void {
  const inFlight = new Set<ServerResponse>();
  app.addHook('preClose', async () => {
    // What is answered from here on is the last on its connection: nobody idle is waited for.
    for (const response of inFlight) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  });
  app.addHook('onRequest', (request, reply, done) => {
    const response = reply.raw;
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    const { raw } = request;
    const fault = findTransportFault(raw);
    if (fault) done(errors.fail(fault));
    else if (inFlight.size > maxInFlight) done(errors.fail('overloaded'));
    else done();
  });
}

function findTransportFault(raw: IncomingMessage): TransportErrorCode | undefined {
  if (isLongUrl(raw)) return 'uri_too_long';
  // Who reads the second of two would see another site than we do.
  const hosts = countHosts(raw.rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return 'malformed_request';
  return isWellFormed(raw.url ?? '') ? undefined : 'malformed_request';
}

/** Escapes that are no UTF-8 would be taken literally, and two addresses would name one thing. */
function isWellFormed(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** A body that announces more than the route takes is refused unread, behind route and method. */
export function refuseLargeBodies(app: App, { errors }: Errors, bodyLimit: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    if (announced > limit) done(errors.fail('body_too_large'));
    else done();
  });
}
