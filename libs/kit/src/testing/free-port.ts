// Ports for servers whose address has to be known before they listen.
import { createServer } from 'node:net';

/**
 * All ports are below the ports that Linux uses for outgoing connections (32768 and up). So no connection can
 * occupy a port between the choice and the use of the port. Each worker of a test run has a separate range of
 * ports.
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
