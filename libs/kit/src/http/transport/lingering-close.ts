// Closes a connection so that its last answer arrives, though the sender is still sending.
import type { Socket } from 'node:net';

/** Bounds on what is read for nothing: whoever sends more, or slowly, is cut off. */
const lingerLimits = { ms: 2000, bytes: 64 * 1024 * 1024 };

/**
 * A socket that is closed over unread bytes is reset, and a reset takes the answer with it. So the
 * answer goes out, our side ends, and what still comes is thrown away until the sender has seen it.
 * Node closes a connection after its last answer by `destroySoon`; here it means this.
 */
export function closeLingering(socket: Socket, limits = lingerLimits): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.ms);
    socket.once('close', () => clearTimeout(timer));
    socket.once('end', () => socket.destroy());
    // Paused by the body that nobody read: it must flow again before its reader is taken away.
    if (socket.isPaused()) socket.once('resume', () => discard(socket, limits.bytes)).resume();
    else discard(socket, limits.bytes);
  };
}

/** Behind the last answer nothing is a request any more: the HTTP parser gets no further bytes. */
function discard(socket: Socket, maxBytes: number): void {
  socket.removeAllListeners('data');
  let left = maxBytes;
  socket.on('data', (chunk) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
}
