// A port of one process, in addition to the port that all processes of a service share.
import type { Server } from 'node:http';
import { createServer, type Socket } from 'node:net';

export interface ProcessPort {
  /** Whether the connection came through this port. */
  has(socket: Socket): boolean;
  /** Accepts no further connections, closes the idle ones, and resolves when all connections have ended. */
  close(): Promise<void>;
}

const closeIdleEveryMs = 100;

/**
 * Listens on a port of this process. A load balancer uses such ports to choose the process. The HTTP server
 * serves the connections exactly like those of its own port, with the same limits and timeouts.
 */
export async function openProcessPort(
  server: Server,
  address: { readonly host: string; readonly port: number; readonly backlog?: number },
): Promise<ProcessPort> {
  const sockets = new WeakSet<Socket>();
  // node:http opens its own connections with these options.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    // node:http reports errors of a connection to `socket.server`.
    Object.assign(socket, { server });
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    // Without `exclusive`, Node's cluster module would share the port between all processes.
    listener.listen({ ...address, exclusive: true }, resolve);
  });
  return {
    has: (socket) => sockets.has(socket),
    close: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      server.closeIdleConnections();
      // A connection may become idle after its last answer.
      const timer = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
      await closed;
      clearInterval(timer);
    },
  };
}
