// Builds a Fastify application that limits the size, the time and the number of requests, and writes all
// errors in one format.
import type { IncomingMessage, Server } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
} from 'fastify';
import { openLazyLogger } from '../observability/lazy-logger.ts';
import { logRequests } from '../observability/log-requests.ts';
import { type Logger, stripQuery } from '../observability/logging.ts';
import { deadlineMs } from '../process/deadline-factor.ts';
import { type AnswerFailure, describeFailed, stripOrigin } from './answer-failure.ts';
import { answerInTime, type Deadline } from './answer-in-time.ts';
import { answerBeforeRouter, answerClientError } from './before-router.ts';
import { ServiceError, type ServiceErrors, type TransportErrorCode } from './errors.ts';
import { createLazySchemaCompiler, type LazySchemaCompiler } from './lazy-schema-compiler.ts';
import { createMethodTable } from './method-table.ts';
import { rememberAddresses } from './network.ts';
import type { ReadyResponse } from './overload-response.ts';
import { fillOptionalBodies, readJsonStrictly } from './read-json.ts';
import { presentFailure, toServiceError } from './render-error.ts';
import { makeRequestId } from './request-context.ts';
import { closeLingering } from './transport/lingering-close.ts';
import { answerOneAtATime } from './transport/pipelining.ts';
import { type SlowBodies, watchSlowBodies } from './transport/slow-bodies.ts';
import { type SocketRequests, serveFromSockets } from './transport/socket-requests.ts';
import {
  type InFlight,
  isLongUrl,
  refuseLargeBodies,
  refuseTransportFaults,
} from './transport/transport-errors.ts';

export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Replaces the `msg` of `invalid_parameter` on this route, if the published specification of the route
     * fixes another text.
     */
    invalidParameterMsg?: string;
    /** If true, the whole body may take longer than the request timeout, as long as bytes keep arriving. */
    slowBody?: boolean;
    /** If true, the client may leave out the body, which then counts as `{}`. */
    optionalBody?: boolean;
    /**
     * If true, this panel route accepts a file of any content type, except the content types that a form can
     * send.
     */
    panelUpload?: boolean;
    /**
     * If true, the route answers the preflight requests of browsers. The `Allow` header does not list the
     * method of this route.
     */
    isPreflight?: boolean;
    /**
     * If true, requests of this route do not count towards the maximum number of concurrent requests and are
     * never refused because of it. A supervisor must be able to ask an overloaded process for its state.
     */
    isAlwaysServed?: boolean;
  }
  interface FastifyInstance {
    /** The methods that a path accepts, for the `Allow` header. */
    listMethods(path: string): string[];
    /** The requests that this process is working on, in the router or on a fast path. */
    readonly inFlight: InFlight;
    /** Serves plain requests from their sockets; undefined if this is turned off. */
    readonly socketRequests: SocketRequests | undefined;
  }
  interface FastifyReply {
    /** The error that was sent as the answer, or null for a success. */
    failure: ServiceError | null;
  }
}

interface AppOptions {
  readonly errors: ServiceErrors<TransportErrorCode>;
  readonly logger: Logger;
  readonly trustProxy?: readonly string[];
  /** The maximum number of concurrent requests, including fast paths. Default: 8192. */
  readonly maxInFlight?: number;
  readonly requestTimeoutMs?: number;
  /**
   * How long the rest of a refused request is read and discarded before the connection closes. Default: 2 s.
   */
  readonly lingerMs?: number;
  /** Whether fast paths serve requests from the socket. Default: false. */
  readonly servesFromSockets?: boolean;
  /** Adds top-level fields (`extras`) to the error answers of a service. */
  readonly completeError?: (request: FastifyRequest, error: unknown) => Promise<unknown>;
  /** Replaces the status of an error, for clients that cannot handle the real status. */
  readonly answerAs?: (request: FastifyRequest, status: number) => number;
  /** Answers failed requests to some paths in a different format, for clients that cannot read our errors. */
  readonly answerFailure?: AnswerFailure;
  /** Returns the deadline of a route, or undefined if the route has no deadline. */
  readonly deadlineOf?: (method: string, path: string) => Deadline | undefined;
}

const bodyLimit = 64 * 1024;
const maxHeaderBytes = 32 * 1024;

/** TypeScript checks the schemas at build time, so Ajv does not check them again at every start. */
const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  allErrors: true,
  validateSchema: false,
} as const;

export function buildApp(options: AppOptions): App {
  const { errors, logger } = options;
  const requestTimeout = options.requestTimeoutMs ?? deadlineMs(15_000);
  let slowBodies: SlowBodies | undefined;
  const compilers = createLazySchemaCompiler();
  const app = fastify({
    schemaController: { compilersFactory: compilers.factory },
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: makeRequestId,
    requestIdHeader: false,
    trustProxy: options.trustProxy?.length ? [...options.trustProxy] : false,
    bodyLimit,
    requestTimeout,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      // A hook refuses requests without Host. If Node refused them, the answer would not have our error
      // shape.
      requireHostHeader: false,
      maxHeaderSize: maxHeaderBytes,
      // Node refuses a headersTimeout above its requestTimeout, whose default is 5 minutes.
      headersTimeout: Math.min(deadlineMs(10_000), requestTimeout, 300_000),
      connectionsCheckingInterval: 500,
    },
    routerOptions: { maxParamLength: 512 },
    ajv: { customOptions: ajvOptions },
    rewriteUrl: (raw) => stripOrigin(raw.url ?? '/'),
    clientErrorHandler: (error, socket) => {
      const isTimeout = (error.code as string) === 'ERR_HTTP_REQUEST_TIMEOUT';
      if (!isTimeout || !slowBodies?.isExempt(socket)) answerClientError(options, error, socket);
    },
    frameworkErrors: (error, request, reply) =>
      sendError(
        options,
        request as FastifyRequest,
        reply as unknown as FastifyReply,
        // Fastify refuses a path parameter that is longer than any id. The answer is `route_not_found`, or
        // `uri_too_long` if the whole URL is too long.
        (error.code as string) === 'FST_ERR_MAX_PARAM_LENGTH'
          ? errors.fail(isLongUrl(request.raw) ? 'uri_too_long' : 'route_not_found')
          : error,
      ),
  }).withTypeProvider<TypeBoxTypeProvider>() as App;

  app.setChildLoggerFactory(openLazyLogger);
  app.addHook('onListen', async () => {
    setTimeout(compileRemaining, deadlineMs(compileAfterMs), compilers).unref();
  });
  app.addHook('onClose', async () => compilers.stop());
  app.decorateReply('failure', null);
  app.setErrorHandler((error, request, reply) => sendError(options, request, reply, error));
  rememberAddresses(app.server);
  const isOn = options.servesFromSockets === true;
  app.decorate('socketRequests', isOn ? serveFromSockets(app.server) : undefined);
  answerBeforeRouter(app.server, options);
  answerOneAtATime(app.server);
  readJsonStrictly(app, errors);
  fillOptionalBodies(app);
  slowBodies = watchSlowBodies(app, errors, requestTimeout);
  refuseTransportFaults(app, options);
  refuseUnknownRoutes(app, errors);
  enforceDeadlines(app, options);
  refuseLargeBodies(app, options, bodyLimit);
  if (logger.isLevelEnabled('info')) logRequests(app);
  return app;
}

/**
 * The background compilation of unused schemas starts 3 s after the start, after the first burst of requests.
 */
const compileAfterMs = 3000;
const compileEveryMs = 25;

/** Compiles one schema every 25 ms, so that a request waits for at most one compilation. */
function compileRemaining(compilers: LazySchemaCompiler): void {
  if (compilers.compileNext()) setTimeout(compileRemaining, compileEveryMs, compilers).unref();
}

function enforceDeadlines(app: App, options: AppOptions): void {
  if (!options.deadlineOf) return;
  // At the deadline, the error is sent without calling `completeError`. That function may run a query, and no
  // time is left for a query.
  const { completeError: _, ...plain } = options;
  answerInTime(app, options.deadlineOf, (request, reply, code) =>
    sendError(plain, request, reply, options.errors.fail(code as TransportErrorCode), { isLate: true }),
  );
}

async function sendError(
  options: AppOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  { isLate } = { isLate: false },
): Promise<FastifyReply> {
  const { errors, completeError, answerFailure } = options;
  const complete = completeError ? await completeError(request, error) : error;
  const { invalidParameterMsg } = request.routeOptions?.config ?? {};
  const found = toServiceError(complete, errors, invalidParameterMsg);
  const other = await answerFailure?.(describeFailed(request, { code: found.code, isLate }));
  // If the deadline passed during `completeError` or `answerFailure`, the error answer of the deadline was
  // already sent. A second answer must not follow.
  if (reply.sent) return reply;
  const failure = other instanceof ServiceError ? other : found;
  const own = presentFailure(failure, { errors, requestId: request.id, log: request.log });
  const answer = other && !(other instanceof ServiceError) ? fromReady(other) : own;
  reply.failure = failure;
  // If the body is unread, the connection must be closed. Otherwise the parser would read the rest of the
  // body as the next request.
  if (hasUnreadBody(request.raw)) {
    reply.header('connection', 'close');
    closeLingering(request.raw.socket, options.lingerMs === undefined ? {} : { ms: options.lingerMs });
  }
  return reply
    .code(options.answerAs?.(request, answer.status) ?? answer.status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(answer.body);
}

function fromReady({ status, headers, body }: ReadyResponse) {
  const named: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) named[headers[i] as string] = headers[i + 1] as string;
  return { status, headers: named, body };
}

/**
 * Whether a part of the body is unread. The headers are checked too, because `complete` alone does not show
 * this: if a request without a body is refused directly after its headers, `complete` is also false.
 */
const hasUnreadBody = ({ complete, headers }: IncomingMessage) =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

function refuseUnknownRoutes(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const methods = createMethodTable();
  app.addHook('onRoute', (route) => {
    if (!route.config?.isPreflight) methods.add(route.method, route.url);
  });
  app.decorate('listMethods', methods.find);
  const refuse = (request: FastifyRequest) => {
    const allowed = methods.find(stripQuery(request.url));
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return errors.fail('route_not_found');
    }
    return errors.fail('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  };
  // This check is a hook, because Fastify reads the body before it calls the not-found handler.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) done(refuse(request));
    else done();
  });
  app.setNotFoundHandler((request) => {
    throw refuse(request);
  });
}
