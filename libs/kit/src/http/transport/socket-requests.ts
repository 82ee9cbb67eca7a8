// Serves requests directly from the socket, if node:http has already parsed an equal head on the connection.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ServeFromSocket, SocketConnection } from './socket-connection.ts';

export type SocketRequests = ReturnType<typeof serveFromSockets>;

/**
 * Starts serving from sockets. The first request of each connection goes to node:http. If the service accepts
 * this request as plain, its head is stored. While node:http has no request of the connection, later bytes
 * are compared with the stored heads. Bytes that are not exactly one message with a stored head go to
 * node:http unchanged, and so do all bytes after them, until node:http has answered the message.
 */
export function serveFromSockets(server: Server) {
  const connections = new Map<Socket, SocketConnection>();
  let mayServe: (socket: Socket) => boolean = () => true;
  server.on('connection', (socket: Socket) => {
    // A server with a limit of requests per connection must count each request.
    if (server.maxRequestsPerSocket) return;
    const connection = SocketConnection.open(server, socket, (given) => mayServe(given));
    if (!connection) return;
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (raw: IncomingMessage, response: ServerResponse) => {
    connections.get(raw.socket)?.onRequest(raw, response);
  });
  // For node:http, a connection is idle while its request is served from the socket. Such a connection must
  // not be closed before its answer.
  const closeIdle = server.closeIdleConnections;
  server.closeIdleConnections = () => {
    const busy = [...connections.values()].filter(({ isBusy }) => isBusy);
    for (const each of busy) each.protect();
    closeIdle.call(server);
    for (const each of busy) each.unprotect();
  };
  return {
    /**
     * Records that the service has accepted this request of node:http as plain. If the connection later sends
     * the same head, `serve` is called.
     */
    accept: (raw: IncomingMessage, serve: ServeFromSocket): void =>
      connections.get(raw.socket)?.accept(raw, serve),
    /** While `condition` returns false for a connection, node:http gets its requests. */
    restrict: (condition: (socket: Socket) => boolean): void => {
      mayServe = condition;
    },
  };
}
