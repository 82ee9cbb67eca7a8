// A TCP proxy that misbehaves on order: it refuses, closes, falls silent, delays, or asks a passage.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of a chunk: the bytes that go on, and what happens to the connection after them. */
export interface Verdict {
  readonly pass: Buffer;
  readonly after?: 'close' | 'silence';
}

/** Looks at the bytes of one connection, in both directions. */
export interface Interceptor {
  toServer(chunk: Buffer): Verdict;
  toClient(chunk: Buffer): Verdict;
}

interface Way {
  /** `silent` keeps connections and passes nothing, as a firewall that drops packets. */
  readonly mode: 'pass' | 'silent' | 'refuse';
  /** In each direction. */
  readonly delayMs?: number;
}

export interface TcpProxy {
  readonly port: number;
  /** From now on, for standing connections too. */
  behave(way: Way): void;
  /** Resets every standing connection; gives back how many. */
  closeAll(): number;
  readonly connections: () => number;
  stop(): Promise<void>;
}

const untouched: Interceptor = {
  toServer: (chunk) => ({ pass: chunk }),
  toClient: (chunk) => ({ pass: chunk }),
};

/** Bytes of one direction, in their order however the delay changes. */
function createOrderedWriter(from: Socket, to: Socket, way: () => Way) {
  let lastAt = 0;
  let held = 0;
  return (bytes: Buffer) => {
    const now = performance.now();
    lastAt = Math.max(now + (way().delayMs ?? 0), lastAt);
    if (lastAt <= now && held === 0) {
      // A slow reader slows the writer down; nothing piles up in between.
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      return;
    }
    held++;
    setTimeout(() => {
      held--;
      if (!to.destroyed && way().mode !== 'silent') to.write(bytes);
    }, lastAt - now);
  };
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

function join({ client, server }: Pair, interceptor: Interceptor, way: () => Way): void {
  let isSilent = false;
  const close = () => {
    client.resetAndDestroy();
    server.destroy();
  };
  const pump = (from: Socket, to: Socket, classify: (chunk: Buffer) => Verdict) => {
    const send = createOrderedWriter(from, to, way);
    from.on('data', (chunk: Buffer) => {
      if (isSilent || way().mode === 'silent') return;
      const { pass, after } = classify(chunk);
      if (pass.length > 0) send(pass);
      if (after !== undefined) isSilent = true;
      // The bytes before it shall arrive, so the end waits for them.
      if (after === 'close') setTimeout(close, 5 + (way().delayMs ?? 0));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // Nobody hears of an end either, where nothing passes.
      if (!isSilent && way().mode !== 'silent') to.end();
      else if (from === client) server.destroy();
    });
  };
  pump(client, server, (chunk) => interceptor.toServer(chunk));
  pump(server, client, (chunk) => interceptor.toClient(chunk));
}

export async function openTcpProxy(options: {
  target: { host: string; port: number };
  interceptor?: () => Interceptor;
}): Promise<TcpProxy> {
  const { target, interceptor = () => untouched } = options;
  let way: Way = { mode: 'pass' };
  const pairs = new Set<Pair>();
  const listener = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    if (way.mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...target, noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    client.once('close', () => pairs.delete(pair));
    join(pair, interceptor(), () => way);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const closeAll = () => {
    const { size } = pairs;
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    return size;
  };
  return {
    port: (listener.address() as { port: number }).port,
    behave: (next) => {
      way = next;
    },
    closeAll,
    connections: () => pairs.size,
    stop: async () => {
      closeAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
