// Answers requests that Node refuses before routing, in the common error shape.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AnswerFailure, type KnownPart, stripOrigin } from './answer-failure.ts';
import { ServiceError, type ServiceErrors, type TransportErrorCode } from './errors.ts';
import type { ReadyResponse } from './overload-response.ts';
import { makeRequestId } from './request-context.ts';

type Errors = ServiceErrors<TransportErrorCode>;
type ClientError = { code?: string; rawPacket?: unknown };
/** Node's internal state of a connection: the pending answer, and the request that is being read. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

interface Answering {
  readonly errors: Errors;
  readonly answerFailure?: AnswerFailure;
}

/** Renders a complete error answer as text, for sockets without a request object. */
export function renderRaw(
  errors: Errors,
  code: TransportErrorCode,
  { allow, isHead = false }: { allow?: string; isHead?: boolean } = {},
): string {
  const requestId = makeRequestId();
  const headers = allow === undefined ? [] : ['Allow', allow];
  return renderReady(presentError(errors.fail(code), requestId, headers), isHead);
}

function presentError(error: ServiceError, requestId: string, more: readonly string[] = []): ReadyResponse {
  const { code, status } = error;
  return {
    code,
    status,
    headers: [
      ...['Content-Type', 'application/json; charset=utf-8', 'X-Request-Id', requestId],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', ...more],
    ],
    body: JSON.stringify(error.toBody(requestId)),
  };
}

function renderReady({ status, headers, body }: ReadyResponse, isHead: boolean): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Content-Length: ${Buffer.byteLength(body)}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  // An answer to HEAD has no body: the client would read a body as the start of the next answer.
  return [...lines, 'Connection: close', '', isHead ? '' : body].join('\r\n');
}

interface Refused {
  readonly code: TransportErrorCode;
  /** The part of the request that is known; undefined if nothing is known. */
  readonly request: KnownPart | undefined;
  readonly address: string;
  readonly allow?: string;
}

/**
 * Renders the answer to a refused request, and calls `send` with it. `send` is called later if
 * `answerFailure` returns a promise.
 */
function renderRefusal(
  { errors, answerFailure }: Answering,
  { code, request, address, allow }: Refused,
  send: (answer: string) => void,
): void {
  const requestId = makeRequestId();
  const { method = '', url = '', headers = {} } = request ?? {};
  const isHead = method === 'HEAD';
  const own = presentError(errors.fail(code), requestId, allow === undefined ? [] : ['Allow', allow]);
  const finish = (other: ReadyResponse | ServiceError | undefined) => {
    const answer = other instanceof ServiceError ? presentError(other, requestId) : (other ?? own);
    send(renderReady(answer, isHead));
  };
  if (!answerFailure || url === '') {
    finish(undefined);
    return;
  }
  const other = answerFailure({
    ...{ method, url: stripOrigin(url), headers, requestId, address, code, isLate: false },
  });
  if (other instanceof Promise) other.then(finish, () => finish(undefined));
  else finish(other);
}

/** Sockets whose answer is being rendered. A further error of such a socket gets no second answer. */
const answering = new WeakSet<Socket>();

export function answerClientError(given: Answering, error: ClientError, socket: Socket): void {
  // If invalid bytes follow a valid request, the error of these bytes must not replace the answer to that
  // request.
  const { _httpMessage: pending, parser } = socket as HttpSocket;
  if (pending && (pending.req.complete || pending.headersSent)) {
    pending.once('close', () => answerClientError(given, { code: 'ECONNRESET' }, socket));
    return;
  }
  // True if the request was refused before its body arrived. Its answer has then already been sent.
  const isAnswered = !pending && parser?.incoming?.complete === false;
  if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (answering.has(socket)) return;
  answering.add(socket);
  const request = pending?.req ?? readRequestLine(error);
  const address = socket.remoteAddress ?? '';
  renderRefusal(given, { code: classify(error), request, address }, (answer) => {
    if (socket.writable) socket.end(answer, () => socket.destroy());
    else socket.destroy();
  });
}

const packetOf = ({ rawPacket }: ClientError): Buffer =>
  Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);

/** Returns the start of the packet that could not be parsed. */
const textOf = (error: ClientError, bytes = 24) => packetOf(error).subarray(0, bytes).toString('latin1');

const requestLine = /^([!#$%&'*+.^_`|~\w-]{1,32}) ([!-~]+)/;
const maxRequestLine = 2048;

/**
 * Reads the method and the URL from the packet that could not be parsed. Returns undefined if the packet does
 * not begin with a method and a URL.
 */
function readRequestLine(error: ClientError): KnownPart | undefined {
  const [, method, url] = requestLine.exec(textOf(error, maxRequestLine)) ?? [];
  return method !== undefined && url !== undefined ? { method, url, headers: {} } : undefined;
}

function classify(error: ClientError): TransportErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'malformed_request';
  // The parser reports a header overflow for long headers and also for a long URL. The URL is too long if the
  // packet starts with a request line of more than 8 KiB, or with a request line that does not end in the
  // packet. Otherwise the headers are too long.
  const startsRequest = /^[A-Z]{3,20} /.test(textOf(error));
  const firstLineEnd = packetOf(error).indexOf('\n');
  const isLongLine = startsRequest && (firstLineEnd === -1 || firstLineEnd > 8192);
  return isLongLine ? 'uri_too_long' : 'headers_too_large';
}

/**
 * Answers CONNECT requests and requests with an unknown `Expect` header. Node passes neither to the router.
 */
export function answerBeforeRouter(server: Server, given: Answering): void {
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // Node no longer listens for errors of this socket. An error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    keepAnswering(socket as HttpSocket);
    const address = request.socket.remoteAddress ?? '';
    const refused: Refused = { code: 'method_not_allowed', request, address, allow: 'GET, HEAD, POST' };
    renderRefusal(given, refused, (answer) => endAfterAnswers(socket as HttpSocket, answer));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const address = request.socket.remoteAddress ?? '';
    response.on('error', () => {});
    renderRefusal(given, { code: 'expectation_failed', request, address }, (answer) => {
      if (response.socket) endAfterAnswers(request.socket, answer, response);
      else response.once('socket', () => endAfterAnswers(request.socket, answer, response));
    });
  });
}

/**
 * Replaces listeners that Node removes from the socket of a CONNECT request. Without them, a streamed answer
 * to an earlier request would never continue, and its request would count as in progress forever.
 */
function keepAnswering(socket: HttpSocket): void {
  socket.on('drain', () => socket._httpMessage?.emit('drain'));
  socket.on('timeout', () => socket.destroy());
}

/** Ends the connection with this answer, after the answers to earlier requests. */
function endAfterAnswers(socket: HttpSocket, answer: string, own?: ServerResponse): void {
  const { _httpMessage: pending } = socket;
  if (pending && pending !== own) {
    pending.once('close', () => endAfterAnswers(socket, answer, own));
    return;
  }
  socket.on('error', () => socket.destroy());
  if (socket.writable) socket.end(answer, () => socket.destroy());
  else socket.destroy();
}
