// Requests that come on a connection before the one ahead of them is answered.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many wait on a connection; few callers ever make one wait. */
const held = new WeakMap<Socket, number>();

/**
 * Such a request waits for that answer, because it may be the last one: whoever is told that the
 * connection ends takes what it sent behind for not done. Meanwhile nothing more is read, and the
 * limits on how long a request may take to arrive go on.
 */
function hold(raw: IncomingMessage, response: ServerResponse, go: RequestListener): void {
  const { socket } = raw;
  // Node reads on by itself at the end of each request that it finds.
  if (!held.has(socket)) socket.on('resume', pauseWhileHeld);
  held.set(socket, (held.get(socket) ?? 0) + 1);
  socket.pause();
  response.once('socket', () => {
    const left = (held.get(socket) ?? 1) - 1;
    held.set(socket, left);
    if (left === 0) socket.resume();
    go(raw, response);
  });
}

/** What comes behind the last answer is read on, to be thrown away. */
function pauseWhileHeld(this: Socket): void {
  if (held.get(this) && !this.writableEnded) this.pause();
}

/** `take` says whether it has taken the request; what it has not goes on as before. */
export function standInFront(
  server: Server,
  take: (raw: IncomingMessage, response: ServerResponse, toRouter: RequestListener) => boolean,
): void {
  const [behind] = server.listeners('request') as RequestListener[];
  if (!behind) throw new Error('there is nobody to stand in front of');
  const go = (raw: IncomingMessage, response: ServerResponse) => {
    // Node still finds requests behind the last answer, and on connections that broke.
    if (!raw.socket.writable) return;
    if (!take(raw, response, behind)) behind(raw, response);
  };
  server.removeListener('request', behind);
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    // An answer gets its connection when the one ahead is through.
    if (response.socket || !raw.socket.writable) go(raw, response);
    else hold(raw, response, go);
  });
}

/** One request of a connection at a time. */
export const answerInTurn = (server: Server): void => standInFront(server, () => false);
