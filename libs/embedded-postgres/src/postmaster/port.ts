// Picks the port that PostgreSQL listens on.
import { createServer } from 'node:net';
import { PlainError } from '@counterfoil/kit/process/plain-error';

/**
 * Returns the preferred port if it is free, otherwise any free port. The port is not reserved: another
 * program may take it before PostgreSQL listens on it.
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  const port = (await tryPort(preferred ?? 0)) ?? (await tryPort(0));
  if (port === undefined) throw new PlainError('No port is free on 127.0.0.1.');
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

export function parsePort(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}
