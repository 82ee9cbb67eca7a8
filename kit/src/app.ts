// A Fastify application with every limit set and one renderer for whatever goes wrong.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type preValidationHookHandler,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
} from 'fastify';
import { answerInTime, type Deadline } from './answer-in-time.ts';
import { answerBeforeRouter, answerClientError } from './before-router.ts';
import { countHosts } from './count-hosts.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { createLateCompilers, type LateCompilers } from './late-compilers.ts';
import { openLogLate } from './late-log.ts';
import { closeLingering } from './lingering-close.ts';
import { type Logger, stripQuery } from './logging.ts';
import { createMethodTable } from './method-table.ts';
import { rememberAddresses } from './network.ts';
import { presentFailure } from './render-error.ts';
import { makeRequestId } from './request-id.ts';
import { type SlowBodies, watchSlowBodies } from './slow-bodies.ts';

export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The sentence of `invalid_parameter` on this route, where the specification words it. */
    invalidParameterMsg?: string;
    /** A body that may take longer than other requests, but must not stall. */
    slowBody?: boolean;
    /** A body may be left out, and counts as `{}` then. */
    optionalBody?: boolean;
    /** A panel route that takes a file: any content type except those that a form can send. */
    panelUpload?: boolean;
  }
  interface FastifyReply {
    /** The stable code of an error answer; null where the answer is none. */
    failureCode: string | null;
  }
}

export interface AppOptions {
  readonly errors: ServiceErrors<TransportErrorCode>;
  readonly logger: Logger;
  readonly trustProxy?: readonly string[];
  readonly bodyLimitBytes?: number;
  readonly maxInFlight?: number;
  readonly requestTimeoutMs?: number;
  /** More top-level fields of an error answer, where a service's envelope has them. */
  readonly errorExtras?: (
    request: FastifyRequest,
    error: unknown,
  ) => Promise<Record<string, unknown>>;
  /** By when a route answers at the latest; none for those that may take their time. */
  readonly deadlineOf?: (method: string, path: string) => Deadline | undefined;
}

const maxUrlBytes = 8 * 1024;
const maxHeaderBytes = 32 * 1024;

const isLongUrl = (raw: IncomingMessage) => (raw.url?.length ?? 0) > maxUrlBytes;

export function buildApp(options: AppOptions): App {
  const { errors, logger } = options;
  const bodyLimit = options.bodyLimitBytes ?? 64 * 1024;
  const requestTimeout = options.requestTimeoutMs ?? 15_000;
  let slowBodies: SlowBodies | undefined;
  const compilers = createLateCompilers();
  const app = fastify({
    schemaController: { compilersFactory: compilers.factory },
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
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
      // A request without Host is answered by the hook below, in our shape.
      requireHostHeader: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(10_000, requestTimeout),
      connectionsCheckingInterval: 500,
    },
    routerOptions: { maxParamLength: 512 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    // Absolute-form targets are legal HTTP and name the same route.
    rewriteUrl: (raw) => (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*(?=[/?#])/i, ''),
    clientErrorHandler: (error, socket) => {
      const isTimeout = (error.code as string) === 'ERR_HTTP_REQUEST_TIMEOUT';
      if (!isTimeout || !slowBodies?.isExempt(socket)) answerClientError(errors, error, socket);
    },
    frameworkErrors: (error, request, reply) =>
      sendError(
        options,
        request as FastifyRequest,
        reply as unknown as FastifyReply,
        // A part of the address longer than any id: too long as a whole, or nothing stands there.
        (error.code as string) === 'FST_ERR_MAX_PARAM_LENGTH'
          ? errors.fail(isLongUrl(request.raw) ? 'uri_too_long' : 'route_not_found')
          : error,
      ),
  }).withTypeProvider<TypeBoxTypeProvider>() as App;

  app.setChildLoggerFactory(openLogLate);
  app.addHook('onListen', async () => compileInTurns(compilers));
  app.decorateReply('failureCode', null);
  app.setErrorHandler((error, request, reply) => sendError(options, request, reply, error));
  rememberAddresses(app.server);
  answerBeforeRouter(app.server, errors);
  readJsonStrictly(app, errors);
  fillOptionalBodies(app);
  slowBodies = watchSlowBodies(app, errors, requestTimeout);
  refuseTransportFaults(app, options);
  refuseUnknownRoutes(app, errors);
  keepDeadlines(app, options);
  refuseLargeBodies(app, options, bodyLimit);
  if (logger.isLevelEnabled('info')) logRequests(app);
  return app;
}

const compileEveryMs = 25;

/** One schema now and then, so that the requests of a service that just came back go before. */
function compileInTurns(compilers: LateCompilers): void {
  if (compilers.compileNext()) setTimeout(compileInTurns, compileEveryMs, compilers).unref();
}

function keepDeadlines(app: App, options: AppOptions): void {
  if (!options.deadlineOf) return;
  // More fields would have to be waited for.
  const { errorExtras: _extras, ...plain } = options;
  answerInTime(app, options.deadlineOf, (request, reply, code) =>
    sendError(plain, request, reply, options.errors.fail(code as TransportErrorCode)),
  );
}

async function sendError(
  options: AppOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const extras = options.errorExtras ? await options.errorExtras(request, error) : {};
  const failure = presentFailure(error, {
    errors: options.errors,
    requestId: request.id,
    log: request.log,
    extras,
    invalidParameterMsg: request.routeOptions?.config?.invalidParameterMsg,
  });
  reply.failureCode = failure.code;
  // What is left of an unread body must not be taken for the next request.
  if (hasUnreadBody(request.raw)) {
    reply.header('connection', 'close');
    closeLingering(request.raw.socket);
  }
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(failure.body);
}

/** A request that is refused as soon as its headers are there is never complete, body or not. */
const hasUnreadBody = ({ complete, headers }: IncomingMessage) =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Bytes that are no UTF-8 would all become one and the same character, and two ids one. */
function readJsonStrictly(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Who sends a content type with everything may send nothing where nothing is asked for.
    if (body.length === 0 && !needsBody(request)) done(null, undefined);
    else if (!isUtf8(body as Buffer)) done(errors.fail('invalid_body'));
    else parse(request, body.toString('utf8'), done);
  });
}

const needsBody = ({ routeOptions: { schema, config } }: FastifyRequest) =>
  schema?.body !== undefined && !config.optionalBody;

function fillOptionalBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.optionalBody) return;
    const fill: preValidationHookHandler = (request, _reply, done) => {
      request.body ??= {};
      done();
    };
    route.preValidation = [fill, ...[route.preValidation ?? []].flat()];
  });
}

function refuseUnknownRoutes(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const methods = createMethodTable();
  app.addHook('onRoute', (route) => methods.add(route.method, route.url));
  const refuse = (request: FastifyRequest) => {
    const allowed = methods.find(stripQuery(request.url));
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return errors.fail('route_not_found');
    }
    return errors.fail('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  };
  // Route and method come before the body, which would be read before this handler.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) done(refuse(request));
    else done();
  });
  app.setNotFoundHandler((request) => {
    throw refuse(request);
  });
}

function refuseTransportFaults(app: App, options: AppOptions): void {
  const { errors } = options;
  const maxInFlight = options.maxInFlight ?? 4096;
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
function refuseLargeBodies(app: App, options: AppOptions, bodyLimit: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    if (announced > limit) done(options.errors.fail('body_too_large'));
    else done();
  });
}

/**
 * The route's pattern with the ids that are plain numbers. The address as sent stays out of the
 * log: a part of it may be a secret (a download link), or a key that somebody put in its place.
 */
function presentPath(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (request.is404 || url === undefined) return 'unknown';
  const params = (request.params ?? {}) as Record<string, string>;
  return url.replace(/:(\w+)/g, (place, name: string) => {
    const value = params[name] ?? '';
    return /^\d{1,18}$/.test(value) ? value : place;
  });
}

function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: presentPath(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        address: request.ip,
      },
      'request',
    );
    done();
  });
}
