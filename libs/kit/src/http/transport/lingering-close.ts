// Closes a connection whose client may still be sending, so that the client still receives the last answer.
import type { Socket } from 'node:net';
import { deadlineMs } from '../../process/deadline-factor.ts';

/** The connection is destroyed after this time, or after this number of bytes was read and discarded. */
const lingerLimits = { ms: deadlineMs(2000), bytes: 64 * 1024 * 1024 };

/**
 * Replaces `destroySoon`, which Node calls after the last answer. If a socket with unread bytes is closed,
 * the connection is reset, and the client may lose the answer. So after the answer, the server closes only
 * its own side of the connection. It reads and discards incoming bytes until the client closes the other
 * side.
 */
export function closeLingering(socket: Socket, given: Partial<typeof lingerLimits> = {}): void {
  const limits = { ...lingerLimits, ...given };
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.ms);
    socket.once('close', () => clearTimeout(timer));
    socket.once('end', () => socket.destroy());
    // The unread body paused the socket. The socket must be resumed before the parser's listener is removed.
    if (socket.isPaused()) socket.once('resume', () => discard(socket, limits.bytes)).resume();
    else discard(socket, limits.bytes);
  };
}

/** Removes the HTTP parser, because bytes after the last answer are not requests. */
function discard(socket: Socket, maxBytes: number): void {
  socket.removeAllListeners('data');
  let left = maxBytes;
  socket.on('data', (chunk) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
}
