// Refuses requests before any route runs: a bad URL, wrong Host headers, a large body, too many concurrent
// requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';
import { countHosts } from '../headers.ts';

interface Errors {
  readonly errors: ServiceErrors<TransportErrorCode>;
}

/** The number of requests in flight. The router and the fast paths of a process share one counter. */
export interface InFlight {
  count: number;
  readonly max: number;
}

const isAlwaysServed = ({ routeOptions }: FastifyRequest) => routeOptions.config?.isAlwaysServed === true;

const maxUrlBytes = 8 * 1024;

export const isLongUrl = (raw: IncomingMessage) => (raw.url?.length ?? 0) > maxUrlBytes;

export function refuseTransportFaults(
  app: App,
  { errors, maxInFlight = 8192 }: Errors & { readonly maxInFlight?: number },
): void {
  const inFlight: InFlight = { count: 0, max: maxInFlight };
  app.decorate('inFlight', inFlight);
  const responses = new Set<ServerResponse>();
  const counted = new Set<ServerResponse>();
  const stopCounting = (response: ServerResponse) => {
    if (counted.delete(response)) inFlight.count--;
  };
  /** Counts the request until its answer is complete. Returns an error if too many requests are counted. */
  const count = (response: ServerResponse) => {
    if (responses.has(response) && !response.writableEnded && !counted.has(response)) {
      counted.add(response);
      inFlight.count++;
    }
    return inFlight.count > inFlight.max ? errors.fail('overloaded') : undefined;
  };
  app.addHook('preClose', async () => {
    // Each pending answer ends its connection, so that a closing service does not wait for idle clients.
    for (const response of responses) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  });
  app.addHook('onRequest', (request, reply, done) => {
    const response = reply.raw;
    responses.add(response);
    // A complete answer may wait for a client that does not read it. Such clients could otherwise occupy the
    // whole limit without credentials.
    response.once('prefinish', () => stopCounting(response));
    response.once('close', () => {
      responses.delete(response);
      stopCounting(response);
    });
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    const fault = findTransportFault(request.raw);
    if (fault) done(errors.fail(fault));
    else done(isAlwaysServed(request) ? undefined : count(response));
  });
  // While a body arrives, its request does not count. Otherwise clients that never send their bodies could
  // occupy the whole limit without credentials.
  app.addHook('preParsing', (_request, reply, payload, done) => {
    stopCounting(reply.raw);
    done(null, payload);
  });
  app.addHook('preValidation', (request, reply, done) => {
    done(isAlwaysServed(request) ? undefined : count(reply.raw));
  });
}

function findTransportFault(raw: IncomingMessage): TransportErrorCode | undefined {
  if (isLongUrl(raw)) return 'uri_too_long';
  // A request with two Host headers is refused. A proxy may use a different one of the two headers than this
  // service, and route the request to another site.
  const hosts = countHosts(raw.rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return 'malformed_request';
  return isWellFormed(raw.url ?? '') ? undefined : 'malformed_request';
}

/**
 * Whether all percent escapes of a URL are valid UTF-8. The router does not decode invalid escapes. Two
 * different URLs could then have the same parameter value.
 */
function isWellFormed(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/**
 * Refuses a body whose announced length exceeds the limit, without reading the body. The route and the
 * method are checked first.
 */
export function refuseLargeBodies(app: App, { errors }: Errors, bodyLimit: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    if (announced > limit) done(errors.fail('body_too_large'));
    else done();
  });
}
