// A proxy between a client and a service. It can drop a response after the service has applied the request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How the proxy handles a request. With `cut`, `half` and `hang`, the request reaches the service, but the
 * client gets no complete response. An object is a response of the proxy itself, and the service gets no
 * request.
 */
export type Outcome =
  | 'pass'
  | 'cut'
  | 'half'
  | 'hang'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

export interface CuttingProxy {
  readonly url: string;
  /** The outcomes of the next requests, in order. All later requests pass unchanged. */
  outcomes: Outcome[];
  /** The requests received, in order. */
  readonly seen: { readonly method: string; readonly url: string; readonly body: string }[];
  close(): Promise<void>;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const server = createServer((request, response) => {
    void readAll(request).then((body) => serve(request, response, body));
  });
  // Idle connections are never closed, so a slow client cannot reuse a connection that is being closed.
  server.keepAliveTimeout = 0;
  async function serve(request: IncomingMessage, response: ServerResponse, body: string) {
    const { method = '', url = '' } = request;
    proxy.seen.push({ method, url, body });
    const outcome = proxy.outcomes.shift() ?? 'pass';
    if (typeof outcome === 'object') {
      const text = typeof outcome.body === 'string' ? outcome.body : JSON.stringify(outcome.body);
      response.writeHead(outcome.status, outcome.headers).end(text);
      return;
    }
    const answer = await forward(`${target}${url}`, request, body);
    const text = await answer.text();
    if (outcome === 'cut') return void response.socket?.destroy();
    if (outcome === 'hang') return;
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(?:connection|keep-alive|transfer)/.test(name)),
    );
    const length = Buffer.byteLength(text);
    response.writeHead(answer.status, { ...headers, 'content-length': length });
    if (outcome === 'half') {
      response.write(text.slice(0, length / 2), () => response.socket?.destroy());
    } else response.end(text);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outcomes: [],
    seen: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** No program listens at this address, because port 2 is never assigned dynamically. */
export const closedAddress = 'http://127.0.0.1:2';

function forward(url: string, request: IncomingMessage, body: string): Promise<Response> {
  const { method = 'GET', headers } = request;
  const sent = Object.entries(headers).filter(
    ([name]) => name.startsWith('x-') || name === 'content-type' || name === 'idempotency-key',
  ) as [string, string][];
  return fetch(url, { method, headers: sent, ...(body !== '' && { body }) });
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}
