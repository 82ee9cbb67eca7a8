// A fast path in front of the router, for the few routes whose requests must cost the least time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import type { preParsingHookHandler } from 'fastify';
import type { Logger } from '../../observability/logging.ts';
import type { RequestDurations } from '../../observability/request-durations.ts';
import type { App } from '../app.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';
import { countHosts } from '../headers.ts';
import type { OverloadResponder, ReadyResponse } from '../overload-response.ts';
import { presentFailure } from '../render-error.ts';
import { makeRequestId } from '../request-context.ts';
import type { Responder } from '../responder.ts';
import { interceptRequests } from './pipelining.ts';
import type { AnswerSink, PlainRequest, ServeFromSocket } from './socket-connection.ts';

/**
 * Serves a request if the request is plain and all data for it is in memory. The router serves all other
 * requests. The fast path and the router give the same answer; a test per route compares them.
 */
export interface FastRoute {
  /**
   * The path of the route. Without `prefix`, the route serves every POST of JSON whose URL equals this path.
   * With `prefix`, the path is used only as the name of the route in metrics.
   */
  readonly path: string;
  /**
   * If set, the route serves the POST requests to every URL that begins with this text, with any content
   * type.
   */
  readonly prefix?: string;
  /**
   * Decides by the headers whether the fast path serves the request. If it returns undefined, the router
   * serves the request. `hasCapacity` is false if this process works on too many requests at once. The
   * request is then refused: by the fast path if the result is an `Overload`, otherwise by the router, which
   * takes far longer.
   */
  readonly authorize: (raw: PlainRequest, hasCapacity: boolean) => FastHandler | Overload | undefined;
  /** Renders the answer to a request for which `authorize` returns an `Overload`. */
  readonly overload?: OverloadResponder;
}

/**
 * Returns true if the handler will answer the request. Returns false if the handler has changed nothing and
 * leaves the request to the router.
 */
export type FastHandler = (body: Buffer, reply: FastReply) => boolean;

/**
 * The result of `authorize` if the service has no capacity for the request. The request gets 503 with these
 * fields, and its body is not evaluated.
 */
export interface Overload {
  /** Additional top-level fields of the answer, as JSON text without the braces. */
  readonly extras: string;
}

/** A fast path like `FastRoute`, for a GET with a query and without a body. */
export interface FastRead {
  readonly path: string;
  /** `query` is the text after the question mark, in the form in which it was sent. */
  readonly authorize: (raw: PlainRequest, query: string) => ((reply: FastReply) => void) | undefined;
}

export interface FastPathOptions {
  readonly errors: ServiceErrors<TransportErrorCode>;
  readonly logger: Logger;
  readonly durations: RequestDurations;
  readonly trustProxy?: readonly string[];
}

const maxBodyBytes = 64 * 1024;
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Serves a route before the router. Call this function before you register the same path with the router. */
export function serveFastPath(app: App, options: FastPathOptions, route: FastRoute): void {
  const { path, overload, prefix } = route;
  const unreadBodies = passBodiesToRouter(app, (url) => (prefix ? url.startsWith(prefix) : url === path));
  const isOwn = (raw: IncomingMessage) =>
    prefix === undefined
      ? raw.url === path && jsonType.test(raw.headers['content-type'] ?? '')
      : raw.url?.startsWith(prefix) === true;
  const state = createRouteState(app, options, { method: 'POST', path });
  const { inFlight } = state;
  const serve = serveFromSocket(state, route);
  interceptRequests(app.server, (raw, response, toRouter) => {
    if (!isOwn(raw) || state.isClosing || !isPlainPost(raw)) return false;
    const handler = route.authorize(raw, hasCapacity(state));
    if (!handler || (typeof handler === 'function' && !hasCapacity(state))) return false;
    const startedAt = performance.now();
    inFlight.count++;
    // A route with a prefix is not served from the socket. Most of its requests are signed, so nearly every
    // head is different.
    const acceptHead = () => {
      if (prefix === undefined) app.socketRequests?.accept(raw, serve);
    };
    if (typeof handler !== 'function') {
      if (!overload) throw new Error(`${path} has no overload answer`);
      const reply = new FastReply(state, raw, new ResponseSink(response), startedAt);
      const ready = overload(reply.requestId, handler.extras);
      acceptHead();
      // If an answer closes a connection whose body is unread, the connection is reset, and the client may
      // lose the answer. The body is therefore read first.
      if (response.shouldKeepAlive) reply.sendReady(ready);
      else readBody(raw, (body) => (body ? reply.sendReady(ready) : void inFlight.count--));
      return true;
    }
    readBody(raw, (body) => {
      if (body && handler(body, new FastReply(state, raw, new ResponseSink(response), startedAt))) {
        acceptHead();
        return;
      }
      inFlight.count--;
      if (!body) return;
      unreadBodies.set(raw, body);
      toRouter(raw, response);
    });
    return true;
  });
}

/**
 * Returns a function that serves requests from the socket, once the fast path has accepted an equal head. It
 * serves a request under the same conditions as `serveFastPath`.
 */
function serveFromSocket(state: RouteState, { authorize, overload }: FastRoute): ServeFromSocket {
  const { inFlight } = state;
  return (request, body, sink) => {
    if (state.isClosing || body.length > maxBodyBytes) return false;
    const handler = authorize(request, hasCapacity(state));
    if (!handler || (typeof handler === 'function' && !hasCapacity(state))) return false;
    const reply = new FastReply(state, request, sink, performance.now());
    inFlight.count++;
    if (typeof handler !== 'function') {
      if (!overload) throw new Error(`${state.path} has no overload answer`);
      reply.sendReady(overload(reply.requestId, handler.extras));
      return true;
    }
    if (handler(body, reply)) return true;
    inFlight.count--;
    return false;
  };
}

export function serveFastRead(app: App, options: FastPathOptions, route: FastRead): void {
  const start = `${route.path}?`;
  const state = createRouteState(app, options, { method: 'GET', path: route.path });
  const begin = (request: PlainRequest, sink: AnswerSink): boolean => {
    if (!hasCapacity(state)) return false;
    const handler = route.authorize(request, request.url?.slice(start.length) ?? '');
    if (!handler) return false;
    state.inFlight.count++;
    handler(new FastReply(state, request, sink, performance.now()));
    return true;
  };
  const serve: ServeFromSocket = (request, _body, sink) => begin(request, sink);
  interceptRequests(app.server, (raw, response) => {
    if (!raw.url?.startsWith(start) || !isPlainGet(raw)) return false;
    if (!begin(raw, new ResponseSink(response))) return false;
    app.socketRequests?.accept(raw, serve);
    return true;
  });
}

/** Whether the request is so plain that the transport hooks of the router would certainly accept it. */
const isPlain = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  headers.expect === undefined &&
  countHosts(rawHeaders) === 1;

const isPlainPost = (raw: IncomingMessage): boolean =>
  raw.method === 'POST' && Number(raw.headers['content-length']) <= maxBodyBytes && isPlain(raw);

const isPlainGet = (raw: IncomingMessage): boolean =>
  raw.method === 'GET' && raw.headers['content-length'] === undefined && isPlain(raw);

/**
 * Reads a body. Calls `onEnd` with undefined if the body breaks off; `answerClientError` then sends the error
 * answer.
 */
function readBody(raw: IncomingMessage, onEnd: (body: Buffer | undefined) => void): void {
  let isRead = false;
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  raw.on('data', (chunk: Buffer) => {
    if (!first) first = chunk;
    else if (rest) rest.push(chunk);
    else rest = [chunk];
  });
  raw.on('end', () => {
    if (!raw.complete) return;
    isRead = true;
    const body = first ?? Buffer.alloc(0);
    onEnd(rest ? Buffer.concat([body, ...rest]) : body);
  });
  raw.on('close', () => {
    if (!isRead) onEnd(undefined);
  });
}

/** Gives the router the bodies that the fast path has already read. */
function passBodiesToRouter(app: App, isOwn: (url: string) => boolean): WeakMap<IncomingMessage, Buffer> {
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  const read: preParsingHookHandler = (request, _reply, payload, done) => {
    const body = bodies.get(request.raw);
    done(null, body ? Readable.from([body], { objectMode: false }) : payload);
  };
  app.addHook('onRoute', (route) => {
    if (!isOwn(route.url)) return;
    route.preParsing = [read, ...[route.preParsing ?? []].flat()];
  });
  return bodies;
}

type RouteState = ReturnType<typeof createRouteState>;

const hasCapacity = ({ isClosing, inFlight }: RouteState) => !isClosing && inFlight.count < inFlight.max;

/** The state that all replies of one route share. */
function createRouteState(
  app: App,
  options: FastPathOptions,
  { method, path }: { method: 'GET' | 'POST'; path: string },
) {
  const { errors, logger, durations, trustProxy = [] } = options;
  const state = {
    method,
    path,
    errors,
    logger,
    logsRequests: logger.isLevelEnabled('info'),
    durations,
    trust: trustProxy.length > 0 ? proxyAddress.compile([...trustProxy]) : undefined,
    /**
     * The counter of requests in this process. A request counts from the arrival of its headers to its
     * answer.
     */
    inFlight: app.inFlight,
    /**
     * True while the service closes. Every answer then ends its connection, so that closing does not wait for
     * clients.
     */
    isClosing: false,
  };
  app.addHook('preClose', async () => {
    state.isClosing = true;
  });
  return state;
}

/** Sends an answer through node:http. */
class ResponseSink implements AnswerSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  send(status: number, headers: readonly string[], body: string): void {
    this.#response.writeHead(status, headers as string[]).end(body);
  }
}

/**
 * The reply to one request. It is a class, because creating closures per request costs measurable
 * time.
 */
export class FastReply implements Responder {
  readonly requestId = makeRequestId();
  readonly #state: RouteState;
  readonly #raw: PlainRequest;
  readonly #sink: AnswerSink;
  readonly #startedAt: number;
  #isAnswered = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: RouteState, raw: PlainRequest, sink: AnswerSink, startedAt: number) {
    this.#state = state;
    this.#raw = raw;
    this.#sink = sink;
    this.#startedAt = startedAt;
  }

  get address(): string {
    const { trust } = this.#state;
    return trust ? proxyAddress(this.#raw as IncomingMessage, trust) : (this.#raw.socket.remoteAddress ?? '');
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  answerBy(ms: number, makeFailure: () => unknown): void {
    const leftMs = Math.max(0, ms - this.elapsedMs);
    this.#timer ??= setTimeout(() => this.fail(makeFailure()), leftMs);
  }

  send(json: string): void {
    if (this.#isAnswered) return;
    const headers = [
      'x-request-id',
      this.requestId,
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      String(Buffer.byteLength(json)),
    ];
    this.#finish(200, headers, json);
  }

  /**
   * Sends the error in the common error shape. `answerAs` replaces the status for clients that cannot handle
   * the real status. Returns the code and the real status.
   */
  fail(error: unknown, answerAs?: (status: number) => number): { code: string; status: number } {
    const { errors, logger } = this.#state;
    const { requestId } = this;
    const log = {
      error: (line: object, msg: string) => logger.error({ request_id: requestId, ...line }, msg),
      warn: (line: object, msg: string) => logger.warn({ request_id: requestId, ...line }, msg),
    };
    const failure = presentFailure(error, { errors, requestId, log });
    if (this.#isAnswered) return failure;
    const status = answerAs ? answerAs(failure.status) : failure.status;
    const headers = Object.entries(failure.headers).flat();
    const length = String(Buffer.byteLength(failure.body));
    headers.push('content-type', 'application/json; charset=utf-8', 'content-length', length);
    this.#finish(status, headers, failure.body);
    return failure;
  }

  sendReady({ status, headers, body }: ReadyResponse): void {
    if (this.#isAnswered) return;
    this.#finish(status, [...headers, 'content-length', String(Buffer.byteLength(body))], body);
  }

  #finish(status: number, headers: readonly string[], body: string): void {
    const { method, path, durations, logsRequests, logger, isClosing } = this.#state;
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    this.#state.inFlight.count--;
    this.#sink.send(status, isClosing ? ['connection', 'close', ...headers] : headers, body, isClosing);
    const ms = this.elapsedMs;
    durations.observe({ method, route: path, status }, ms / 1000);
    if (!logsRequests) return;
    const durationMs = Math.round(ms * 100) / 100;
    const { requestId: request_id, address } = this;
    logger.info({ request_id, method, path, status, durationMs, address }, 'request');
  }
}
