// A small service with a fast path. Two copies, one with requests served from sockets, must behave alike.

import type { Socket } from 'node:net';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { defineErrors, transportErrors } from '@counterfoil/kit/http/errors';
import { createOverloadResponder } from '@counterfoil/kit/http/overload-response';
import { serveFastPath, serveFastRead } from '@counterfoil/kit/http/transport/fast-path';
import { createRequestDurations } from '@counterfoil/kit/observability/request-durations';
import { captureLog } from '@counterfoil/kit/testing/captured-log';

/** The service's side of one connection. */
export interface Peer {
  readonly socket: Socket;
  /** The bodies of the orders that were executed, in this sequence. */
  readonly executed: string[];
  /** The number of orders that are not answered yet. */
  pending: number;
}

export interface SocketServer {
  readonly port: number;
  readonly app: App;
  /** The number of requests that node:http has parsed. */
  readonly parsed: () => number;
  /** The open connections, by the port of the client. */
  readonly peers: ReadonlyMap<number, Peer>;
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

/**
 * The body of an order decides what happens: `"later":2` delays the answer, `"fail"` is an error, and the
 * fast path leaves `"router"` to the router. A body that is not JSON goes to the router too.
 */
export async function openSocketServer(servesFromSockets: boolean): Promise<SocketServer> {
  const { logger } = captureLog('sockets');
  const app = buildApp({ errors, logger, servesFromSockets, requestTimeoutMs: 600_000 });
  const options = { errors, logger, durations: createRequestDurations() };
  const peers = new Map<number, Peer>();
  const getPeer = ({ remotePort = 0 }: Socket): Peer => {
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
        const peer = getPeer(socket);
        peer.executed.push(body);
        peer.pending++;
        callLater(Number(/"later":(\d)/.exec(body)?.[1] ?? 0), () => {
          peer.pending--;
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
  app.server.on('connection', (socket) => {
    const { remotePort = 0 } = socket;
    peers.set(remotePort, { socket, executed: [], pending: 0 });
    // A listener for `data` makes node:http parse a whole packet before any promise continues. This order
    // determines whether the body of a refused request is still unread, and an unread body ends the
    // connection. So both copies have such a listener.
    socket.on('data', () => {});
    socket.once('close', () => peers.delete(remotePort));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.prependListener('request', () => void parsed++);
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    port: address.port,
    app,
    parsed: () => parsed,
    peers,
    close: () => app.close(),
  };
}
