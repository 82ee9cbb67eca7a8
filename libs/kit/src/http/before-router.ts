// Answers requests that Node refuses before routing, in the common error shape.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { makeRequestId } from './request-context.ts';

type Errors = ServiceErrors<TransportErrorCode>;
type ClientError = { code?: string; rawPacket?: unknown };
/** Node's internal state of a connection: the pending answer, and the request that is being read. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

/** Renders a complete answer as text, for sockets without a request object. */
export function renderRaw(
  errors: Errors,
  code: TransportErrorCode,
  { allow, isHead = false }: { allow?: string; isHead?: boolean } = {},
): string {
  const error = errors.fail(code);
  const requestId = makeRequestId();
  const body = JSON.stringify(error.toBody(requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...(allow === undefined ? [] : [`Allow: ${allow}`]),
    'Connection: close',
    '',
    // An answer to HEAD has no body: the client would read a body as the start of the next answer.
    isHead ? '' : body,
  ].join('\r\n');
}

export function answerClientError(errors: Errors, error: ClientError, socket: Socket): void {
  // If invalid bytes follow a valid request, their error must not replace the answer to that request.
  const { _httpMessage: pending, parser } = socket as HttpSocket;
  if (pending && (pending.req.complete || pending.headersSent)) {
    pending.once('close', () => answerClientError(errors, { code: 'ECONNRESET' }, socket));
    return;
  }
  // True if the request was refused before its body arrived. Its answer has then already been sent.
  const isAnswered = !pending && parser?.incoming?.complete === false;
  if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else {
    const isHead = textOf(error).startsWith('HEAD ');
    socket.end(renderRaw(errors, classify(error), { isHead }), () => socket.destroy());
  }
}

const packetOf = ({ rawPacket }: ClientError): Buffer =>
  Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);

/** Returns the start of the packet that could not be parsed. */
const textOf = (error: ClientError) => packetOf(error).subarray(0, 24).toString('latin1');

function classify(error: ClientError): TransportErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'malformed_request';
  // The parser reports a long request line as a header overflow too. If the packet starts with a request line
  // of more than 8 KiB, the URL is too long. Otherwise the headers are too long.
  const startsRequest = /^[A-Z]{3,20} /.test(textOf(error));
  const firstLineEnd = packetOf(error).indexOf('\n');
  const isLongLine = startsRequest && (firstLineEnd === -1 || firstLineEnd > 8192);
  return isLongLine ? 'uri_too_long' : 'headers_too_large';
}

/** Answers CONNECT requests and unknown `Expect` headers, which Node does not pass to the router. */
export function answerBeforeRouter(server: Server, errors: Errors): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const answer = renderRaw(errors, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
    endAfterAnswers(socket as HttpSocket, answer);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const isHead = request.method === 'HEAD';
    const answer = renderRaw(errors, 'expectation_failed', { isHead });
    response.on('error', () => {});
    if (response.socket) endAfterAnswers(request.socket, answer, response);
    else response.once('socket', () => endAfterAnswers(request.socket, answer, response));
  });
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
