// A local receiver of webhooks. It verifies signatures with the reference library of Standard Webhooks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly signature: string;
  readonly event: { type: string; timestamp: string; data: Record<string, unknown> };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export async function openReceiver() {
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
  // Idle connections are never closed, so a slow client cannot reuse a connection that is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** The accepted webhooks, in the order of arrival. */
    taken: [] as Received[],
    /** The ids of the refused webhooks. */
    refused: [] as string[],
    /**
     * Returns the status of the next answer. A status below 300 accepts the webhook. Tests replace this
     * function.
     */
    answer: (_received: Received): number | Promise<number> => 204,
    secret: '',
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
