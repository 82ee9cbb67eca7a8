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

/** Counts one request of the router while the service works on it. */
interface Slot {
  /** Counts the request, unless it has ended. */
  take(): void;
  /** Stops counting the request while the service waits for the client. */
  release(): void;
  end(): void;
}

function openSlot(inFlight: InFlight): Slot {
  let state: 'waiting' | 'counted' | 'ended' = 'waiting';
  const change = (to: typeof state) => {
    if (state === 'ended') return;
    inFlight.count += Number(to === 'counted') - Number(state === 'counted');
    state = to;
  };
  return {
    take: () => change('counted'),
    release: () => change('waiting'),
    end: () => change('ended'),
  };
}

const maxUrlBytes = 8 * 1024;

export const isLongUrl = (raw: IncomingMessage) => (raw.url?.length ?? 0) > maxUrlBytes;

export function refuseTransportFaults(
  app: App,
  { errors, maxInFlight = 8192 }: Errors & { readonly maxInFlight?: number },
): void {
  const inFlight: InFlight = { count: 0, max: maxInFlight };
  app.decorate('inFlight', inFlight);
  const slots = new WeakMap<FastifyRequest, Slot>();
  const refuseExcess = (done: (error?: Error) => void) =>
    inFlight.count > inFlight.max ? done(errors.fail('overloaded')) : done();
  const responses = new Set<ServerResponse>();
  app.addHook('preClose', async () => {
    // Each pending answer ends its connection, so that a closing service does not wait for idle clients.
    for (const response of responses) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  });
  app.addHook('onRequest', (request, reply, done) => {
    const response = reply.raw;
    responses.add(response);
    const slot = openSlot(inFlight);
    response.once('close', () => {
      responses.delete(response);
      slot.end();
    });
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    const { raw } = request;
    const fault = findTransportFault(raw);
    if (fault) {
      done(errors.fail(fault));
      return;
    }
    if (request.routeOptions.config?.isAlwaysServed) {
      done();
      return;
    }
    slots.set(request, slot);
    slot.take();
    refuseExcess(done);
  });
  // While a body arrives, its request does not count. Otherwise clients that never send their bodies could
  // occupy the whole limit without credentials.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    slots.get(request)?.release();
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const slot = slots.get(request);
    slot?.take();
    if (slot) refuseExcess(done);
    else done();
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
