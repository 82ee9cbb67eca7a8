// Starts the licensing service as separate processes on one database, each with its own port.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import type { Given } from './given.ts';

export interface ServiceProcess {
  readonly origin: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
  /** Ends the process with SIGKILL, so that it cannot react. */
  kill(): Promise<void>;
}

/** Starts one process, and waits until it accepts requests. `masterKey` is the key of the given service. */
export async function startService(given: Given, masterKey: string): Promise<ServiceProcess> {
  const port = await findFreePort();
  const child: ChildProcess = fork('services/licensing/server/dist/bundle/main.js', [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      LOG_LEVEL: 'error',
      DATABASE_CONNECTIONS: '4',
      // Tests repeat refused codes until every process has answered.
      WRONG_CODES_PER_MINUTE: '0',
      PUBLISHABLE_WRONG_CODES_PER_MINUTE: '0',
      LICENSING_PORT: String(port),
      LICENSING_DATABASE_URL: given.config.databaseUrl,
      FILES_DIR: given.config.filesDir,
      MASTER_KEY: masterKey,
    },
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the service ended with ${code}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child, 'message'), failed]);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
