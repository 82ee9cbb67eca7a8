// A local receiver of webhooks that verifies signatures with the library of the specification.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly signature: string;
  readonly event: { type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  /** The accepted webhooks, in the order of arrival. */
  readonly taken: Received[];
  /** The ids of the refused webhooks. */
  readonly refused: string[];
  /** Returns the status of the next answer. 204 accepts the webhook. */
  answer: (received: Received) => number | Promise<number>;
  secret: string;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const headers = request.headers as Record<string, string>;
      let status = 401;
      try {
        const event = new Webhook(receiver.secret).verify(body, headers) as Received['event'];
        const id = headers['webhook-id'] ?? '';
        const received = { id, signature: headers['webhook-signature'] ?? '', event };
        status = await receiver.answer(received);
        if (status < 300) receiver.taken.push(received);
        else receiver.refused.push(id);
      } catch {
        receiver.refused.push(headers['webhook-id'] ?? '');
      }
      const location = { location: 'http://127.0.0.1:1/elsewhere' };
      response.writeHead(status, status >= 300 && status < 400 ? location : {}).end();
    });
  });
  // Idle connections are never closed, so a slow client cannot reuse one that is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken: [],
    refused: [],
    answer: () => 204,
    secret: '',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
