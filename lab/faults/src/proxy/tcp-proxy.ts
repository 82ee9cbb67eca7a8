// A TCP proxy that can refuse or close connections, delay or drop bytes, and pass bytes to an interceptor.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The bytes of a chunk to forward, and whether the connection is closed or silent afterwards. */
export interface Verdict {
  readonly pass: Buffer;
  readonly after?: 'close' | 'silence';
}

/** Decides for each chunk of one connection, in both directions, which bytes are forwarded. */
export interface Interceptor {
  toServer(chunk: Buffer): Verdict;
  toClient(chunk: Buffer): Verdict;
}

interface Behaviour {
  /** `silent` keeps connections open and forwards nothing, like a firewall that drops packets. */
  readonly mode: 'pass' | 'silent' | 'refuse';
  /** The delay in each direction. */
  readonly delayMs?: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Changes the behaviour immediately, even for open connections. */
  behave(next: Behaviour): void;
  /** Resets every open connection and returns their number. */
  closeAll(): number;
  stop(): Promise<void>;
}

const untouched: Interceptor = {
  toServer: (chunk) => ({ pass: chunk }),
  toClient: (chunk) => ({ pass: chunk }),
};

/** Writes the bytes of one direction in order, even if the delay changes. */
function createOrderedWriter(from: Socket, to: Socket, behaviour: () => Behaviour) {
  let lastAt = 0;
  let held = 0;
  return (bytes: Buffer) => {
    const now = performance.now();
    lastAt = Math.max(now + (behaviour().delayMs ?? 0), lastAt);
    if (lastAt <= now && held === 0) {
      // If the receiver is slow, reading from the sender pauses, so that no bytes accumulate here.
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      return;
    }
    held++;
    setTimeout(() => {
      held--;
      if (!to.destroyed && behaviour().mode !== 'silent') to.write(bytes);
    }, lastAt - now);
  };
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

function join({ client, server }: Pair, interceptor: Interceptor, behaviour: () => Behaviour): void {
  let isSilent = false;
  const close = () => {
    client.resetAndDestroy();
    server.destroy();
  };
  const pump = (from: Socket, to: Socket, classify: (chunk: Buffer) => Verdict) => {
    const send = createOrderedWriter(from, to, behaviour);
    from.on('data', (chunk: Buffer) => {
      if (isSilent || behaviour().mode === 'silent') return;
      const { pass, after } = classify(chunk);
      if (pass.length > 0) send(pass);
      if (after !== undefined) isSilent = true;
      // Closes the connection after a pause, so that the forwarded bytes arrive first.
      if (after === 'close') setTimeout(close, 5 + (behaviour().delayMs ?? 0));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // A silent proxy does not forward the end of a connection either.
      if (!isSilent && behaviour().mode !== 'silent') to.end();
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
  let behaviour: Behaviour = { mode: 'pass' };
  const pairs = new Set<Pair>();
  const listener = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    if (behaviour.mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...target, noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    client.once('close', () => pairs.delete(pair));
    join(pair, interceptor(), () => behaviour);
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
      behaviour = next;
    },
    closeAll,
    stop: async () => {
      closeAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
