// Pipelining: a client sends requests on a connection before the previous request is answered.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The number of waiting requests per connection. Few clients pipeline, so an entry is created only with the
 * first pipelined request of a connection.
 */
const waiting = new WeakMap<Socket, number>();

/**
 * While a client does not read its answers, Node pauses the socket and sets `_paused`. When the client reads
 * again, Node resumes the socket.
 */
type HttpSocket = Socket & { readonly _paused?: boolean };

/**
 * Lets a pipelined request wait until the previous answer has ended, because that answer may close the
 * connection. A client that receives `Connection: close` assumes that its pipelined requests were not
 * processed. While a request waits, the server reads nothing from the connection. The time limits for
 * receiving the request keep running.
 */
function waitForPrevious(raw: IncomingMessage, response: ServerResponse, go: RequestListener): void {
  const socket: HttpSocket = raw.socket;
  // Node resumes the socket at the end of each request that it parses. The listener pauses the socket again.
  if (!waiting.has(socket)) socket.on('resume', pauseWhileWaiting);
  waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
  socket.pause();
  response.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    // If the connection breaks, Node ends the pending answer while the socket is still paused by Node. If the
    // socket were resumed then, an assertion in Node would fail, and the process would end.
    if (left === 0 && !socket._paused) socket.resume();
    go(raw, response);
  });
}

/**
 * Pauses the socket while a request waits. After the last answer the socket is not paused, because the
 * remaining bytes must be read and discarded.
 */
function pauseWhileWaiting(this: Socket): void {
  if (waiting.get(this) && !this.writableEnded) this.pause();
}

/**
 * Passes each request to `intercept`, which returns true if it serves the request. If it returns false, the
 * previous listener gets the request.
 */
export function interceptRequests(
  server: Server,
  intercept: (raw: IncomingMessage, response: ServerResponse, toRouter: RequestListener) => boolean,
): void {
  // Listeners before the last one only observe requests.
  const next = (server.listeners('request') as RequestListener[]).at(-1);
  if (!next) throw new Error('the server has no request listener that could be intercepted');
  const go = (raw: IncomingMessage, response: ServerResponse) => {
    // Node still emits requests after the last answer and on broken connections. These requests are ignored.
    if (!raw.socket.writable) return;
    if (!intercept(raw, response, next)) next(raw, response);
  };
  server.removeListener('request', next);
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    // Node assigns the socket to a response once the previous response is finished.
    if (response.socket || !raw.socket.writable) go(raw, response);
    else waitForPrevious(raw, response, go);
  });
}

/** Serves the requests of a connection one at a time. */
export const answerOneAtATime = (server: Server): void => interceptRequests(server, () => false);
