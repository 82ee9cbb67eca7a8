// Closes a connection so that its last answer arrives although the client is still sending.
import type { Socket } from 'node:net';

/** How long and how many bytes are read and discarded before the connection is destroyed. */
const lingerLimits = { ms: 2000, bytes: 64 * 1024 * 1024 };

/**
 * Closing a socket with unread bytes resets the connection, and the client may lose the answer. So our
 * side ends after the answer, and incoming bytes are discarded until the client closes its side. Node
 * calls `destroySoon` after the last answer, so this replaces it.
 */
export function closeLingering(socket: Socket, limits = lingerLimits): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.ms);
    socket.once('close', () => clearTimeout(timer));
    socket.once('end', () => socket.destroy());
    // The unread body paused the socket. It must flow again before the parser's listener is removed.
    if (socket.isPaused()) socket.once('resume', () => discard(socket, limits.bytes)).resume();
    else discard(socket, limits.bytes);
  };
}

/** After the last answer no bytes are a request any more, so the HTTP parser gets none. */
function discard(socket: Socket, maxBytes: number): void {
  socket.removeAllListeners('data');
  let left = maxBytes;
  socket.on('data', (chunk) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
}
