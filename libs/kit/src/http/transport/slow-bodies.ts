// Lets the few routes that take large bodies take their time, as long as the bytes keep coming.
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import type { App } from '../app.ts';
import { renderRaw } from '../before-router.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';

export interface SlowBodies {
  /** Whether the time limit of all other requests is not for the one on this socket. */
  isExempt(socket: Socket): boolean;
}

/** Less than this between two looks, and the sender is taken for one that only holds a place. */
const minBytesPerSecond = 1024;

/**
 * Node's own limit counts a whole request and speaks up once; on these sockets it is passed over,
 * and what watches them instead is whether they get anywhere.
 */
export function watchSlowBodies(
  app: App,
  errors: ServiceErrors<TransportErrorCode>,
  lookEveryMs: number,
): SlowBodies {
  const sockets = new WeakSet<Socket>();
  const watch: onRequestHookHandler = ({ raw }, reply, done) => {
    const { socket } = raw;
    sockets.add(socket);
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const { bytesRead } = socket;
      const isStalled = bytesRead - seen < (minBytesPerSecond * lookEveryMs) / 1000;
      seen = bytesRead;
      // Bytes that we have not asked for yet are no fault of the sender's.
      if (!isStalled || raw.readableLength > 0) return;
      if (reply.raw.headersSent) socket.destroy();
      else socket.end(renderRaw(errors, 'request_timeout'), () => socket.destroy());
    }, lookEveryMs).unref();
    const stop = () => {
      clearInterval(timer);
      sockets.delete(socket);
    };
    raw.once('end', stop);
    raw.once('close', stop);
    reply.raw.once('close', stop);
    done();
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.slowBody) route.onRequest = [watch, ...[route.onRequest ?? []].flat()];
  });
  return { isExempt: (socket) => sockets.has(socket) };
}
