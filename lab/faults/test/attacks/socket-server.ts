// A small service with a fast path. Two copies, one with requests served from sockets, must behave alike.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { defineErrors, transportErrors } from '@counterfoil/kit/http/errors';
import { createOverloadResponder } from '@counterfoil/kit/http/overload-response';
import { serveFastPath, serveFastRead } from '@counterfoil/kit/http/transport/fast-path';
import type { SocketRequests } from '@counterfoil/kit/http/transport/socket-requests';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createRequestDurations } from '@counterfoil/kit/observability/request-durations';
import fc from 'fast-check';
import type { Requests, Template } from './conversations.ts';
import type { Observed, Peer } from './converse.ts';

export interface SocketServer extends Observed {
  readonly app: App;
  /** The number of requests that node:http has parsed. */
  readonly parsed: () => number;
  close(): Promise<void>;
}

const errors = defineErrors({ ...transportErrors });
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Calls `go` after this number of iterations of the event loop. */
function callLater(ticks: number, go: () => void): void {
  if (ticks === 0) go();
  else setImmediate(callLater, ticks - 1, go);
}

class OrderPeer implements Peer {
  readonly socket: Socket;
  readonly executed: string[] = [];
  #working = 0;
  #held: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
  }

  isWorking(): boolean {
    return this.#working > 0;
  }

  execute(body: string, answer: () => void): void {
    this.executed.push(body);
    if (body.includes('hold')) {
      this.#held.push(answer);
      return;
    }
    this.#working++;
    callLater(Number(/"later":(\d)/.exec(body)?.[1] ?? 0), () => {
      this.#working--;
      answer();
    });
  }

  isHolding(): boolean {
    return this.#held.length > 0;
  }

  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }
}

/** The connections of a server. Each connection remains listed until it is closed. */
function listPeers(server: Server): Map<number, OrderPeer> {
  const peers = new Map<number, OrderPeer>();
  server.on('connection', (socket) => {
    const { remotePort = 0 } = socket;
    peers.set(remotePort, new OrderPeer(socket));
    // A listener for `data` makes node:http parse a whole packet before any promise continues. This order
    // determines whether the body of a refused request is still unread, and an unread body ends the
    // connection. So both copies have such a listener.
    socket.on('data', () => {});
    socket.once('close', () => peers.delete(remotePort));
  });
  return peers;
}

/**
 * The body of an order decides what happens: `"later":2` delays the answer, `"hold"` delays it until the
 * connection is released, `"fail"` is an error, and the fast path leaves `"router"` to the router. A body
 * that is not JSON goes to the router too.
 */
export async function openSocketServer(
  servesFromSockets: boolean | ((server: Server) => SocketRequests),
): Promise<SocketServer> {
  const logger = createLogger({ service: 'sockets', level: 'silent' });
  const isOn = servesFromSockets === true;
  const app = buildApp({ errors, logger, servesFromSockets: isOn, requestTimeoutMs: 600_000 });
  if (typeof servesFromSockets === 'function')
    Object.assign(app, { socketRequests: servesFromSockets(app.server) });
  const options = { errors, logger, durations: createRequestDurations() };
  const peers = listPeers(app.server);
  const getPeer = ({ remotePort = 0 }: Socket): OrderPeer => {
    const peer = peers.get(remotePort);
    if (!peer) throw new Error('a request was executed after its connection was closed');
    return peer;
  };
  let parsed = 0;
  const overload = createOverloadResponder({ errors, logger, path: '/order' });
  serveFastPath(app, options, {
    path: '/order',
    overload,
    authorize: ({ headers, socket }) => {
      if (headers['x-key'] !== 'right') return undefined;
      if (headers['x-full'] === 'yes') return { extras: '"more":1' };
      return (bytes, reply) => {
        const body = bytes.toString('latin1');
        if (!isJson(body) || body.includes('router')) return false;
        getPeer(socket).execute(body, () => {
          if (body.includes('fail')) reply.fail(errors.fail('internal_error'));
          else reply.send(JSON.stringify({ done: body, request_id: reply.requestId }));
        });
        return true;
      };
    },
  });
  serveFastRead(app, options, {
    path: '/balance',
    authorize: ({ headers }, query) =>
      headers['x-key'] === 'right' && /^player=\w+$/.test(query)
        ? (reply) => reply.send(JSON.stringify({ query, request_id: reply.requestId }))
        : undefined,
  });
  app.post('/order', (request, reply) => {
    if (request.headers['x-key'] !== 'right') return reply.send(errors.fail('route_not_found'));
    getPeer(request.raw.socket).executed.push(JSON.stringify(request.body));
    return reply.send({ by: 'router', body: request.body, request_id: request.id });
  });
  app.get('/balance', (request, reply) =>
    reply.send({ by: 'router', query: request.query, request_id: request.id }),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.prependListener('request', () => void parsed++);
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return { port: address.port, app, parsed: () => parsed, peers, close: () => app.close() };
}

const bodies = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 10 ** 6 }).map((id) => `{"id":${id}}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat({ max: 99 }), fc.constantFrom(1, 2, 3))
      .map(([id, ticks]) => `{"id":${id},"later":${ticks}}`),
  },
  { weight: 2, arbitrary: fc.nat({ max: 99 }).map((id) => `{"id":${id},"hold":1}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"router":1}',
      '{"fail":1}',
      '{"fail":1,"later":2}',
      '{"fail":1,"hold":1}',
      '{bad',
      '',
      '[]',
      `{"long":"${'x'.repeat(700)}"}`,
      '{"text":"\xe4"}',
      'GET /balance?player=hidden HTTP/1.1\r\nHost: x\r\nX-Key: right\r\n\r\n',
      '{"a":1}\r\n\r\n{"b":2}',
    ),
  },
);

export const plainOrder: Template = {
  first: 'POST /order HTTP/1.1',
  lines: ['Host: x', 'Content-Type: application/json', 'X-Key: right', 'Content-Length: #'],
  bodies,
};

/** The service refuses these requests because of overload. */
const refusedOrder: Template = {
  ...plainOrder,
  lines: [...plainOrder.lines.slice(0, 3), 'X-Full: yes', 'Content-Length: #'],
};

/** Plain requests of this service. */
export const orderRequests: Requests = {
  posts: fc.constantFrom(plainOrder, plainOrder, plainOrder, plainOrder, refusedOrder),
  reads: fc
    .constantFrom('a', 'a', 'a', 'b', 'a%20', '')
    .map((player) =>
      Buffer.from(`GET /balance?player=${player} HTTP/1.1\r\nHost: x\r\nX-Key: right\r\n\r\n`),
    ),
  secret: ['X-Key', 'right'],
};
