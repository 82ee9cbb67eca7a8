// A TCP proxy that can refuse, close, delay or drop, and that can pass bytes to an interceptor.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What to do with a chunk: the bytes to forward, and what happens to the connection afterwards. */
export interface Verdict {
  readonly pass: Buffer;
  readonly after?: 'close' | 'silence';
}

/** Sees the bytes of one connection in both directions. */
export interface Interceptor {
  toServer(chunk: Buffer): Verdict;
  toClient(chunk: Buffer): Verdict;
}

interface Way {
  /** `silent` keeps connections open and forwards nothing, like a firewall that drops packets. */
  readonly mode: 'pass' | 'silent' | 'refuse';
  /** In each direction. */
  readonly delayMs?: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Applies immediately, to open connections too. */
  behave(way: Way): void;
  /** Resets every open connection and returns their number. */
  closeAll(): number;
  readonly connections: () => number;
  stop(): Promise<void>;
}

const untouched: Interceptor = {
  toServer: (chunk) => ({ pass: chunk }),
  toClient: (chunk) => ({ pass: chunk }),
};

/** Writes the bytes of one direction in order, even if the delay changes. */
function createOrderedWriter(from: Socket, to: Socket, way: () => Way) {
  let lastAt = 0;
  let held = 0;
  return (bytes: Buffer) => {
    const now = performance.now();
    lastAt = Math.max(now + (way().delayMs ?? 0), lastAt);
    if (lastAt <= now && held === 0) {
      // A slow reader pauses the writer, so that nothing accumulates here.
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
      // Closes after a pause, so that the bytes before arrive.
      if (after === 'close') setTimeout(close, 5 + (way().delayMs ?? 0));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // A silent proxy does not forward the end of a connection either.
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
