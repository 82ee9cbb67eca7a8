// Ports for servers whose address has to be known before they listen.
import { createServer } from 'node:net';

/**
 * Tests use the ports from 20,000 to 31,999. Linux uses the ports from 32,768 for outgoing connections, so
 * no outgoing connection can take a port between its choice and its use. Each worker of a test run has its
 * own range.
 */
const firstPort = 20_000;
const portsPerWorker = 2_000;
const workers = 6;

const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workers;
let last = Math.floor(Math.random() * portsPerWorker);

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < portsPerWorker; tries++) {
    last = (last + 1) % portsPerWorker;
    const port = firstPort + worker * portsPerWorker + last;
    if (await canListen(port)) return port;
  }
  throw new Error('every port of this worker is taken');
}
