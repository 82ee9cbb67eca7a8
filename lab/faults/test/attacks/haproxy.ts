// Starts HAProxy in front of a service, if HAProxy is installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sendRaw } from './raw.ts';

export const isHaproxyInstalled = spawnSync('haproxy', ['-v']).status === 0;

export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}

const configure = (port: number, backend: number) => `
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  timeout http-request 10s
  timeout http-keep-alive 300ms
  option forwardfor
frontend outside
  http-request set-header x-front yes
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one 127.0.0.1:${backend}
`;

export async function startHaproxy(backend: number): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const port = await findFreePort();
  await writeFile(file, configure(port, backend));
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hello = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  for (let tries = 0; (await sendRaw(port, hello)).statuses[0] !== 200; tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error('HAProxy did not start');
    await setTimeout(50);
  }
  return {
    port,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
