// Sends raw bytes to a service, without following HTTP.
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';

export interface RawAnswer {
  readonly text: string;
  /** The statuses of all answers in order. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
}

/** Sets short timeouts for incomplete requests and idle connections. */
export function shortenTimeouts(server: Server): void {
  server.headersTimeout = 1000;
  server.requestTimeout = 1000;
  server.keepAliveTimeout = 300;
}

/** A time limit that is reached only if the service never closes the connection. */
const hangMs = 180_000;

interface Sending {
  readonly bytes: Buffer;
  readonly socket: Socket;
  readonly answer: Promise<RawAnswer>;
}

function startRaw(port: number, bytes: Buffer): Sending {
  const socket = connect({ host: '127.0.0.1', port });
  const answer = new Promise<RawAnswer>((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map((each) => Number(each[1]));
      resolve({ text, statuses, isClosed });
    };
    const timer = setTimeout(() => finish(false), hangMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('end', () => finish(true));
    // A connection that was reset counts as closed too.
    socket.once('error', () => finish(true));
    socket.once('close', () => finish(true));
    socket.write(bytes);
  });
  return { bytes, socket, answer };
}

/** Sends all bytes and waits until the service closes the connection. */
export const sendRaw = (port: number, bytes: Buffer): Promise<RawAnswer> => startRaw(port, bytes).answer;

/**
 * Sends the requests at the same time. Once the service has read all bytes, its timeouts are set to 1 ms, so
 * that incomplete requests time out at once.
 */
export async function sendTogether(
  { server, port }: { readonly server: Server; readonly port: number },
  group: readonly Buffer[],
): Promise<RawAnswer[]> {
  const limit = (ms: number) => Object.assign(server, { headersTimeout: ms, requestTimeout: ms });
  const accepted = new Map<number | undefined, Socket>();
  const accept = (socket: Socket) => accepted.set(socket.remotePort, socket);
  server.on('connection', accept);
  server.keepAliveTimeout = 300;
  limit(hangMs);
  const sendings = group.map((bytes) => startRaw(port, bytes));
  const isRead = ({ bytes, socket }: Sending) => {
    const { bytesRead = -1 } = accepted.get(socket.localPort) ?? {};
    return socket.destroyed || bytesRead >= bytes.length;
  };
  try {
    await eventually(() => expect(sendings.every(isRead)).toBe(true));
    limit(1);
    return await Promise.all(sendings.map(({ answer }) => answer));
  } finally {
    limit(hangMs);
    server.off('connection', accept);
  }
}

export const lines = (...given: readonly string[]): string => given.join('\r\n');
