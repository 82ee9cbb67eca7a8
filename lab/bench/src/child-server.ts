// Starts a server under measurement as a separate process.
import { fork } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serviceFlags } from '@counterfoil/kit/process/run-processes';

export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts the program and passes it a free port in the environment variable `portName`. Resolves when the
 * program sends `ready`.
 */
export async function startChildServer(options: {
  program: string;
  portName: string;
  env?: Record<string, string>;
  /** Node options in addition to `serviceFlags`. */
  execArgv?: readonly string[];
}): Promise<ChildServer> {
  const port = await findFreePort();
  const child = fork(options.program, [], {
    execArgv: [...serviceFlags, ...(options.execArgv ?? [])],
    env: { ...process.env, ...options.env, [options.portName]: String(port) },
    // The service writes its log as in production, so that the measurement includes the cost of logging. The
    // output is discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${options.program} ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export const startEcho = (): Promise<ChildServer> =>
  startChildServer({
    program: fileURLToPath(new URL('echo-server.js', import.meta.url)),
    portName: 'PORT',
  });

/** The bundled program of a service, which `npm start` runs. */
export const findBundle = (service: 'wallet' | 'licensing'): string =>
  fileURLToPath(new URL('bundle/main.js', import.meta.resolve(`@counterfoil/${service}-server/main`)));
