// Speaks to a service by bare bytes, as somebody does who keeps to no rule of HTTP.
import type { Server } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly text: string;
  /** The status of every answer that came, in order. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
}

/** Half a request is waited for, and so is the next on a connection; here not for long. */
export function hurry(server: Server): void {
  server.headersTimeout = 1000;
  server.requestTimeout = 1000;
  server.keepAliveTimeout = 300;
}

/** Sends all of it, and waits until the other side ends the connection, as a service must in time. */
export function sendRaw(port: number, bytes: Buffer, deadlineMs = 10_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map((each) => Number(each[1]));
      resolve({ text, statuses, isClosed });
    };
    const timer = setTimeout(() => finish(false), deadlineMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('end', () => finish(true));
    // A reset is an end as well: nobody waits any more.
    socket.once('error', () => finish(true));
    socket.once('close', () => finish(true));
    socket.write(bytes);
  });
}

export const lines = (...given: readonly string[]): string => given.join('\r\n');
