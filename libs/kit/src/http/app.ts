// A Fastify application with every limit set and one renderer for whatever goes wrong.
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
import { answerInTime, type Deadline } from './answer-in-time.ts';
import { answerBeforeRouter, answerClientError } from './before-router.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { createLazySchemaCompiler, type LazySchemaCompiler } from './lazy-schema-compiler.ts';
import { createMethodTable } from './method-table.ts';
import { rememberAddresses } from './network.ts';
import { fillOptionalBodies, readJsonStrictly } from './read-json.ts';
import { presentFailure } from './render-error.ts';
import { makeRequestId } from './request-context.ts';
import { closeLingering } from './transport/lingering-close.ts';
import { answerInTurn } from './transport/pipelining.ts';
import { type SlowBodies, watchSlowBodies } from './transport/slow-bodies.ts';
import {
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
    /** The sentence of `invalid_parameter` on this route, where the specification words it. */
    invalidParameterMsg?: string;
    /** A body that may take longer than other requests, but must not stall. */
    slowBody?: boolean;
    /** A body may be left out, and counts as `{}` then. */
    optionalBody?: boolean;
    /** A panel route that takes a file: any content type except those that a form can send. */
    panelUpload?: boolean;
    /** Answers what a browser asks before a call; callers are not told of it in `Allow`. */
    isPreflight?: boolean;
  }
  interface FastifyInstance {
    /** The methods that a path takes, for the `Allow` header. */
    listMethods(path: string): string[];
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
  /** The status that an error is answered with, where some callers can take no other. */
  readonly answerAs?: (request: FastifyRequest, status: number) => number;
  /** By when a route answers at the latest; none for those that may take their time. */
  readonly deadlineOf?: (method: string, path: string) => Deadline | undefined;
}

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
  const bodyLimit = options.bodyLimitBytes ?? 64 * 1024;
  const requestTimeout = options.requestTimeoutMs ?? deadlineMs(15_000);
  let slowBodies: SlowBodies | undefined;
  const compilers = createLazySchemaCompiler();
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
      // Node refuses more than its own default of requestTimeout, 5 minutes.
      headersTimeout: Math.min(deadlineMs(10_000), requestTimeout, 300_000),
      connectionsCheckingInterval: 500,
    },
    routerOptions: { maxParamLength: 512 },
    ajv: { customOptions: ajvOptions },
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

  app.setChildLoggerFactory(openLazyLogger);
  app.addHook('onListen', async () => {
    setTimeout(compileInTurns, deadlineMs(compileAfterMs), compilers).unref();
  });
  app.addHook('onClose', async () => compilers.stop());
  app.decorateReply('failureCode', null);
  app.setErrorHandler((error, request, reply) => sendError(options, request, reply, error));
  rememberAddresses(app.server);
  answerBeforeRouter(app.server, errors);
  answerInTurn(app.server);
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

/** Callers who waited for a service to come back have it to themselves for so long. */
const compileAfterMs = 3000;
const compileEveryMs = 25;

/** One schema now and then, so that the requests of a service that just came back go before. */
function compileInTurns(compilers: LazySchemaCompiler): void {
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
  // Its deadline came while these were waited for: there is one answer.
  if (reply.sent) return reply;
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
    .code(options.answerAs?.(request, failure.status) ?? failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(failure.body);
}

/** A request that is refused as soon as its headers are there is never complete, body or not. */
const hasUnreadBody = ({ complete, headers }: IncomingMessage) =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

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
  // Route and method come before the body, which would be read before this handler.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) done(refuse(request));
    else done();
  });
  app.setNotFoundHandler((request) => {
    throw refuse(request);
  });
}
