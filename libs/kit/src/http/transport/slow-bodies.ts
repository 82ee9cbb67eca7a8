// Exempts routes with large bodies from the request time limit while bytes keep arriving.
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import type { App } from '../app.ts';
import { renderRaw } from '../before-router.ts';
import type { ServiceErrors, TransportErrorCode } from '../errors.ts';

export type SlowBodies = ReturnType<typeof watchSlowBodies>;

/** A client that sends fewer bytes per second is timed out. */
const minBytesPerSecond = 1024;

/**
 * Node's time limit applies to a whole request and fires once. It is ignored for sockets with a slow body,
 * and the progress of the body is checked instead.
 */
export function watchSlowBodies(app: App, errors: ServiceErrors<TransportErrorCode>, checkEveryMs: number) {
  const sockets = new WeakSet<Socket>();
  const watch: onRequestHookHandler = ({ raw }, reply, done) => {
    const { socket } = raw;
    sockets.add(socket);
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const { bytesRead } = socket;
      const isStalled = bytesRead - seen < (minBytesPerSecond * checkEveryMs) / 1000;
      seen = bytesRead;
      // If bytes have arrived that the service has not read, the delay is the service's and not the client's.
      if (!isStalled || raw.readableLength > 0) return;
      if (reply.raw.headersSent) socket.destroy();
      else socket.end(renderRaw(errors, 'request_timeout'), () => socket.destroy());
    }, checkEveryMs).unref();
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
  /** Whether the request on this socket is exempt from the general time limit. */
  return { isExempt: (socket: Socket) => sockets.has(socket) };
}
