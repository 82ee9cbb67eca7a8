// A door in front of the router for the few requests that a service must answer cheapest.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import type { preParsingHookHandler } from 'fastify';
import type { Logger } from '../../observability/logging.ts';
import type { RequestDurations } from '../../observability/request-durations.ts';
import type { App } from '../app.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';
import { countHosts } from '../headers.ts';
import { createShedder, type Shed } from '../overload-response.ts';
import { presentFailure } from '../render-error.ts';
import { makeRequestId } from '../request-context.ts';
import { standInFront } from './pipelining.ts';

/**
 * A route that is served here where a request is plain and everything it needs is in memory, and
 * by the router in every other case: the router's route is the rule, this one is the short cut, and
 * tests hold the answers of both against each other.
 */
export interface QuickRoute {
  /** A POST to exactly this address, without a query. */
  readonly path: string;
  /** Looks at the headers; undefined where anything is out of the ordinary. */
  readonly admit: (raw: IncomingMessage) => QuickTaker | QuickRefusal | undefined;
}

/** Takes the body and answers in its time, or returns false at once and has changed nothing. */
export type QuickTaker = (body: Buffer, reply: QuickReply) => boolean;

/** There is no room for the request: 503 with these fields, and its body is not looked at. */
export interface QuickRefusal {
  /** As JSON without its braces. */
  readonly extras: string;
}

/** The same for a GET without a body: nothing is read, so all of it is decided at once. */
export interface QuickRead {
  readonly path: string;
  /** `query` is what stands behind the question mark, as it was sent. */
  readonly admit: (raw: IncomingMessage, query: string) => QuickReader | undefined;
}

/** Answers in its time. */
export type QuickReader = (reply: QuickReply) => void;

export interface QuickDoorOptions {
  readonly errors: ServiceErrors<TransportErrorCode>;
  readonly logger: Logger;
  readonly durations: RequestDurations;
  readonly trustProxy?: readonly string[];
  readonly maxInFlight?: number;
}

const maxBodyBytes = 64 * 1024;
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Must be called before the route of that address is registered with the router. */
export function openQuickDoor(app: App, options: QuickDoorOptions, route: QuickRoute): void {
  const { path } = route;
  const givenBack = giveBodiesBack(app, path);
  const desk = openDesk(app, options, { method: 'POST', path });
  standInFront(app.server, (raw, response, toRouter) => {
    if (raw.url !== path || desk.isClosing || !isPlainPost(raw)) return false;
    const take = route.admit(raw);
    // Where there is no room, a refusal still costs least here.
    if (!take || (typeof take === 'function' && !hasRoom(desk))) return false;
    const startedAt = performance.now();
    desk.inFlight++;
    if (typeof take !== 'function') {
      const reply = new QuickReply(desk, raw, response, startedAt);
      // A connection that ends with the answer would be reset over the body, and lose the answer.
      if (response.shouldKeepAlive) reply.shed(take);
      else readBody(raw, (body) => (body ? reply.shed(take) : void desk.inFlight--));
      return true;
    }
    readBody(raw, (body) => {
      if (body && take(body, new QuickReply(desk, raw, response, startedAt))) return;
      desk.inFlight--;
      if (!body) return;
      givenBack.set(raw, body);
      toRouter(raw, response);
    });
    return true;
  });
}

export function openQuickRead(app: App, options: QuickDoorOptions, route: QuickRead): void {
  const start = `${route.path}?`;
  const desk = openDesk(app, options, { method: 'GET', path: route.path });
  standInFront(app.server, (raw, response) => {
    const { url = '' } = raw;
    if (!url.startsWith(start) || !hasRoom(desk) || !isPlainGet(raw)) return false;
    const read = route.admit(raw, url.slice(start.length));
    if (!read) return false;
    desk.inFlight++;
    read(new QuickReply(desk, raw, response, performance.now()));
    return true;
  });
}

/** What every other check of the front door would let through as it is. */
const isPlain = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  headers.expect === undefined &&
  countHosts(rawHeaders) === 1;

const isPlainPost = (raw: IncomingMessage): boolean =>
  raw.method === 'POST' &&
  Number(raw.headers['content-length']) <= maxBodyBytes &&
  jsonType.test(raw.headers['content-type'] ?? '') &&
  isPlain(raw);

const isPlainGet = (raw: IncomingMessage): boolean =>
  raw.method === 'GET' && raw.headers['content-length'] === undefined && isPlain(raw);

/** Undefined for a body that breaks off; what the parser makes of that is answered elsewhere. */
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

/** The router reads a body that was read here from where it is kept. */
function giveBodiesBack(app: App, path: string): WeakMap<IncomingMessage, Buffer> {
  const kept = new WeakMap<IncomingMessage, Buffer>();
  const read: preParsingHookHandler = (request, _reply, payload, done) => {
    const body = kept.get(request.raw);
    done(null, body ? Readable.from([body], { objectMode: false }) : payload);
  };
  app.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    route.preParsing = [read, ...[route.preParsing ?? []].flat()];
  });
  return kept;
}

/** What all replies of one route have in common. */
interface Desk {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly errors: ServiceErrors<TransportErrorCode>;
  readonly logger: Logger;
  readonly logs: boolean;
  readonly durations: RequestDurations;
  readonly trust: ((address: string, place: number) => boolean) | undefined;
  /** The answer to a request that there is no room for. */
  readonly shed: (requestId: string, extras: string) => Shed;
  readonly maxInFlight: number;
  /** From the first byte of a body to its answer. */
  inFlight: number;
  /** Then an answer is the last on its connection, or leaving would wait for idle callers. */
  isClosing: boolean;
}

const hasRoom = (desk: Desk) => !desk.isClosing && desk.inFlight < desk.maxInFlight;

function openDesk(app: App, options: QuickDoorOptions, route: Pick<Desk, 'method' | 'path'>): Desk {
  const { errors, logger, durations, trustProxy = [], maxInFlight = 4096 } = options;
  const trust = trustProxy.length > 0 ? proxyAddress.compile([...trustProxy]) : undefined;
  const logs = logger.isLevelEnabled('info');
  const shed = createShedder({ errors, logger, path: route.path });
  const given = { ...route, errors, logger, durations, maxInFlight };
  const desk = { ...given, trust, logs, shed, inFlight: 0, isClosing: false };
  app.addHook('preClose', async () => {
    desk.isClosing = true;
  });
  return desk;
}

/** One answer. A class, because closures for each request are felt. */
export class QuickReply {
  readonly requestId = makeRequestId();
  readonly #desk: Desk;
  readonly #raw: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #startedAt: number;
  #isAnswered = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(desk: Desk, raw: IncomingMessage, response: ServerResponse, startedAt: number) {
    this.#desk = desk;
    this.#raw = raw;
    this.#response = response;
    this.#startedAt = startedAt;
  }

  /** Where the request came from, as the router would see it. */
  get address(): string {
    const { trust } = this.#desk;
    return trust ? proxyAddress(this.#raw, trust) : (this.#raw.socket.remoteAddress ?? '');
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Then whatever is still to come is too late: there is one answer. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** For whoever has to wait after all: this failure, unless another answer comes in time. */
  answerBy(ms: number, makeFailure: () => unknown): void {
    const leftMs = Math.max(0, ms - this.elapsedMs);
    this.#timer ??= setTimeout(() => this.fail(makeFailure()), leftMs);
  }

  /** 200 with this JSON. */
  send(json: string): void {
    if (this.#isAnswered) return;
    const { requestId } = this;
    if (this.#desk.isClosing) this.#response.setHeader('connection', 'close');
    this.#response.writeHead(200, [
      'x-request-id',
      requestId,
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      Buffer.byteLength(json),
    ]);
    this.#finish(200, json);
  }

  /**
   * The one error shape; `extras` are more top-level fields, and `answerAs` gives the status for
   * callers that can take no other. Gives the code and the error's own status.
   */
  fail(
    error: unknown,
    extras: Record<string, unknown> = {},
    answerAs?: (status: number) => number,
  ): { code: string; status: number } {
    const { errors, logger } = this.#desk;
    const { requestId } = this;
    const log = {
      error: (line: object, msg: string) => logger.error({ request_id: requestId, ...line }, msg),
      warn: (line: object, msg: string) => logger.warn({ request_id: requestId, ...line }, msg),
    };
    const failure = presentFailure(error, { errors, requestId, extras, log });
    if (this.#isAnswered) return failure;
    const length = Buffer.byteLength(failure.body);
    if (this.#desk.isClosing) this.#response.setHeader('connection', 'close');
    const status = answerAs ? answerAs(failure.status) : failure.status;
    this.#response.writeHead(status, {
      ...failure.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': length,
    });
    this.#finish(status, failure.body);
    return failure;
  }

  /**
   * 503 `overloaded` at a small price: made ready once, and instead of a line in the log for each
   * one a second that counts them.
   */
  shed({ extras }: QuickRefusal): void {
    if (this.#isAnswered) return;
    const { status, headers, body } = this.#desk.shed(this.requestId, extras);
    if (this.#desk.isClosing) this.#response.setHeader('connection', 'close');
    const length = String(Buffer.byteLength(body));
    this.#response.writeHead(status, [...headers, 'content-length', length]);
    this.#finish(status, body);
  }

  #finish(status: number, body: string): void {
    const { method, path, durations, logs, logger } = this.#desk;
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    this.#desk.inFlight--;
    this.#response.end(body);
    const ms = this.elapsedMs;
    durations.observe({ method, route: path, status }, ms / 1000);
    if (!logs) return;
    const durationMs = Math.round(ms * 100) / 100;
    const { requestId: request_id, address } = this;
    logger.info({ request_id, method, path, status, durationMs, address }, 'request');
  }
}
