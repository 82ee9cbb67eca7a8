// A service that can be compared with a second copy of itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '@counterfoil/kit/http/app';
import type { AnswerSink, ServeFromSocket } from '@counterfoil/kit/http/transport/socket-connection';
import type { SocketRequests } from '@counterfoil/kit/http/transport/socket-requests';
import type { Requests } from './conversations.ts';
import type { Observed, Peer } from './converse.ts';
import { listen } from './target.ts';

/**
 * The names of the objects that the concurrent conversations use. The names differ in many bytes, so that one
 * changed byte does not turn a name into another name.
 */
export const slots = [...'abcdefghijklmnop'].map((letter) => letter.repeat(5));

export interface ComparedService extends Observed {
  /** The credentials in the requests. Two copies of a service list them in the same order. */
  readonly credentials: readonly string[];
  readonly parsed: () => number;
  requestsOf(slot: string): Requests;
  /** Everything that the requests have changed, and the metrics of the requests. */
  readEffects(): Promise<unknown>;
  close(): Promise<void>;
}

interface Exchange {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
}

/** Whether the service will answer this request without further bytes of the client. */
const isWorkingOn = ({ raw, response }: Exchange) =>
  !response.writableFinished && !response.destroyed && (raw.complete || raw.listenerCount('data') === 0);

class ServicePeer implements Peer {
  readonly socket: Socket;
  readonly executed = [];
  /** The requests of node:http. */
  readonly exchanges: Exchange[] = [];
  /** The number of requests that are being served from the socket. */
  fromSocket = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  isWorking(): boolean {
    return this.fromSocket > 0 || this.exchanges.some(isWorkingOn);
  }

  isHolding(): boolean {
    return false;
  }

  release(): void {}
}

/** Opens the port, and observes the connections and the requests. */
export async function observe(app: App) {
  const peers = new Map<number, ServicePeer>();
  const parsed = { count: 0 };
  app.server.on('connection', (socket) => {
    const { remotePort = 0 } = socket;
    peers.set(remotePort, new ServicePeer(socket));
    // The comment at `listPeers` in socket-server.ts says why both copies have this listener.
    socket.on('data', () => {});
    socket.once('close', () => peers.delete(remotePort));
  });
  const port = await listen(app);
  app.server.prependListener('request', (raw: IncomingMessage, response: ServerResponse) => {
    parsed.count++;
    peers.get(raw.socket.remotePort ?? 0)?.exchanges.push({ raw, response });
  });
  if (app.socketRequests) watchSocketRequests(app.socketRequests, peers);
  return { port, peers, parsed: () => parsed.count };
}

/** Counts the requests that are being served from the socket. */
function watchSocketRequests(requests: SocketRequests, peers: ReadonlyMap<number, ServicePeer>): void {
  const watched = new Map<ServeFromSocket, ServeFromSocket>();
  const watch =
    (serve: ServeFromSocket): ServeFromSocket =>
    (request, body, sink) => {
      const peer = peers.get(request.socket.remotePort ?? 0);
      if (!peer) throw new Error('a request was served after its connection was closed');
      const send: AnswerSink['send'] = (...answer) => {
        peer.fromSocket--;
        sink.send(...answer);
      };
      peer.fromSocket++;
      const isServed = serve(request, body, { send });
      if (!isServed) peer.fromSocket--;
      return isServed;
    };
  const { accept } = requests;
  requests.accept = (raw, serve) => {
    const own = watched.get(serve) ?? watch(serve);
    watched.set(serve, own);
    accept(raw, own);
  };
}

/** The number of answers by method, route and status. */
export async function readRequestCounts(app: App): Promise<string[]> {
  const { body } = await app.inject('/metrics');
  return body
    .split('\n')
    .filter((line) => line.startsWith('http_request_duration_seconds_count') && !line.includes('/metrics'))
    .sort();
}
