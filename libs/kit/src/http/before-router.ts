// Answers in our own shape what Node refuses before any route is looked up.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { makeRequestId } from './request-id.ts';

type Errors = ServiceErrors<TransportErrorCode>;
type ClientError = { code?: string; rawPacket?: unknown };
/** What Node keeps of a connection: the answer that is due, and the request that is being read. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

/** A whole answer as it goes over the wire, for sockets that never became a request. */
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
    // Whoever asks for the head alone would take a body for the start of another answer.
    isHead ? '' : body,
  ].join('\r\n');
}

export function answerClientError(errors: Errors, error: ClientError, socket: Socket): void {
  // Garbage behind a good request must not pass for that request's answer: let it finish first.
  const { _httpMessage: pending, parser } = socket as HttpSocket;
  if (pending && (pending.req.complete || pending.headersSent)) {
    pending.once('close', () => answerClientError(errors, { code: 'ECONNRESET' }, socket));
    return;
  }
  // A request that was refused before its body came has had its answer.
  const isAnswered = !pending && parser?.incoming?.complete === false;
  if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else {
    const isHead = textOf(error).startsWith('HEAD ');
    socket.end(renderRaw(errors, classify(error), { isHead }), () => socket.destroy());
  }
}

const packetOf = ({ rawPacket }: ClientError): Buffer =>
  Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);

/** How the packet starts that could not be read. */
const textOf = (error: ClientError) => packetOf(error).subarray(0, 24).toString('latin1');

function classify(error: ClientError): TransportErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'malformed_request';
  // The parser counts the request line as a header; a packet without a line end is one long address.
  // A later packet of long headers has no request line at its start.
  const startsRequest = /^[A-Z]{3,20} /.test(textOf(error));
  const firstLineEnd = packetOf(error).indexOf('\n');
  const isLongLine = startsRequest && (firstLineEnd === -1 || firstLineEnd > 8192);
  return isLongLine ? 'uri_too_long' : 'headers_too_large';
}

/** CONNECT and unknown expectations never reach the router either. */
export function answerBeforeRouter(server: Server, errors: Errors): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const answer = renderRaw(errors, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
    endBehindAnswers(socket as HttpSocket, answer);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const isHead = request.method === 'HEAD';
    const answer = renderRaw(errors, 'expectation_failed', { isHead });
    response.on('error', () => {});
    if (response.socket) endBehindAnswers(request.socket, answer, response);
    else response.once('socket', () => endBehindAnswers(request.socket, answer, response));
  });
}

/** The last answer of a connection must not pass for that of a request ahead: those go first. */
function endBehindAnswers(socket: HttpSocket, answer: string, own?: ServerResponse): void {
  const { _httpMessage: pending } = socket;
  if (pending && pending !== own) {
    pending.once('close', () => endBehindAnswers(socket, answer, own));
    return;
  }
  socket.on('error', () => socket.destroy());
  if (socket.writable) socket.end(answer, () => socket.destroy());
  else socket.destroy();
}
