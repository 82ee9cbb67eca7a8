// Sends each request once over 64 keep-alive connections, and checks every answer.
import { Agent, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const connections = 64;

/** Sends the requests over 64 connections. Rejects if `isAccepted` returns false for an answer. */
export async function sendAll(
  url: string,
  requests: readonly SentRequest[],
  isAccepted: (status: number, text: string) => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = requests.values();
  const sendWaiting = async () => {
    for (const each of waiting) {
      const { status, answer } = await send(url, agent, each);
      if (!isAccepted(status, answer)) throw new Error(`a bet was answered with ${status} ${answer}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, sendWaiting));
  } finally {
    agent.destroy();
  }
}

function send(url: string, agent: Agent, { method, path, headers, body }: SentRequest) {
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const sent = ask(
      url + path,
      { method, agent, headers: { ...headers, 'content-length': length } },
      (answer) => {
        text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, answer: read }), reject);
      },
    );
    sent.on('error', reject).end(body);
  });
}
