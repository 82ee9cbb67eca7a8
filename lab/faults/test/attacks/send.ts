// Sends one request over a real connection and waits for the complete answer.
import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method: string;
  /** The path, including the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A time limit that is reached only if the service does not answer. */
const hangMs = 180_000;

export interface Sender {
  send(sent: Sent): Promise<Answer>;
  close(): void;
}

/** `send` rejects if the answer is not complete after `hangMs`. */
export function openSender(port: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }) =>
      new Promise((resolve, reject) => {
        const asked = request({ agent, host: '127.0.0.1', port, method, path: url });
        for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value);
        if (body) asked.setHeader('content-length', body.length);
        const timer = setTimeout(() => asked.destroy(new Error('no complete answer in time')), hangMs);
        const fail = (error: Error) => {
          clearTimeout(timer);
          reject(error);
        };
        asked.once('error', fail);
        asked.once('response', (response) => {
          const { statusCode: status = 0, headers: got } = response;
          const chunks: Buffer[] = [];
          const finish = () => {
            clearTimeout(timer);
            resolve({ status, headers: got, text: Buffer.concat(chunks).toString('utf8') });
          };
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            // An event stream never ends, so its first chunk is the answer.
            if (!String(got['content-type']).startsWith('text/event-stream')) return;
            finish();
            asked.destroy();
          });
          response.once('error', fail);
          response.once('end', finish);
        });
        asked.end(body);
      }),
  };
}
