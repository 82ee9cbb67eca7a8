// A proxy to the database that a test can stop from forwarding what the database sends.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HeldConnection {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** From now on, the proxy keeps the bytes that the database sends. */
  hold(): void;
  /** Forwards the kept bytes, and all later ones. */
  release(): void;
  close(): Promise<void>;
}

export async function openHeldConnection(databaseUrl: string): Promise<HeldConnection> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let held: (() => void)[] | undefined;
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      // Every error is followed by the event `close`.
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => database.write(bytes));
    database.on('data', (bytes) => {
      if (held) held.push(() => client.write(bytes));
      else client.write(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    hold: () => {
      held ??= [];
    },
    release: () => {
      for (const forward of held ?? []) forward();
      held = undefined;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
