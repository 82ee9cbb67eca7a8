// Launches the PostgreSQL server once and waits until it is ready or has ended.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { programEnvironment } from '../binaries/run-program.ts';
import type { ServerUser } from '../cluster/server-user.ts';
import { endPostmaster, signalProcess } from './end-postmaster.ts';
import { openLog } from './log-file.ts';
import { findPostmasterFile } from './postmaster-file.ts';

const pollMs = 10;
const slowAfterMs = deadlineMs(3_000);
// The time limit for the start. Recovery after a crash reads up to max_wal_size of WAL, which takes minutes
// on a slow disk.
const readyWithinMs = 10 * 60_000;

export interface LaunchOptions {
  readonly native: string;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly onProgress: (message: string) => void;
}

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<number | null>;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export class PostmasterEndedError extends Error {
  override name = 'PostmasterEndedError';
}

export async function launchPostmaster(options: LaunchOptions, port: number): Promise<Postmaster> {
  const log = await openLog(options.dataDir);
  try {
    const postmaster = await spawnPostmaster(options, port, log.fd);
    const failure = await waitUntilReady(options, postmaster).catch(
      (error: unknown) => `could not be watched (${error})`,
    );
    if (failure === undefined) return postmaster;
    await postmaster.stop();
    throw new PostmasterEndedError(
      `PostgreSQL ${failure}. The end of its log, ${log.path}:\n${await log.readTail()}`,
    );
  } finally {
    await log.close();
  }
}

function spawnPostmaster(options: LaunchOptions, port: number, logFd: number): Promise<Postmaster> {
  const file = join(options.native, 'bin', 'postgres');
  const child = spawn(file, postgresArguments(options, port), {
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    cwd: '/',
    env: programEnvironment(),
    // The server gets a separate session, so that Ctrl-C in the terminal does not end the server before the
    // services have stopped.
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`PostgreSQL (${file}) could not be run: ${error.message}`, { cause: error })),
    );
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined) return;
      const endWithUs = () => signalProcess(pid, 'SIGINT');
      process.once('exit', endWithUs);
      child.unref();
      let hasEnded = false;
      const ended = new Promise<number | null>((resolveEnded) => {
        child.once('exit', (code) => {
          hasEnded = true;
          process.off('exit', endWithUs);
          resolveEnded(code);
        });
      });
      resolve({
        pid,
        port,
        ended,
        hasEnded: () => hasEnded,
        stop: () => endPostmaster({ pid, hasEnded: () => hasEnded }),
      });
    });
  });
}

// postmaster-file.ts may identify a server by its arguments. They must therefore begin with -D, the folder of
// the cluster, and -c.
function postgresArguments(options: LaunchOptions, port: number): string[] {
  const settings = {
    ...options.settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', options.clusterDir, ...pairs];
}

/** Waits for the server. Returns the problem, or undefined once the server is ready. */
async function waitUntilReady(options: LaunchOptions, postmaster: Postmaster): Promise<string | undefined> {
  const begun = Date.now();
  let saidSlow = false;
  while (Date.now() - begun < readyWithinMs) {
    if (postmaster.hasEnded()) {
      return `ended while starting (exit code ${await postmaster.ended})`;
    }
    const file = await findPostmasterFile(options.clusterDir);
    if (file?.pid === postmaster.pid && file.isReady) return undefined;
    if (!saidSlow && Date.now() - begun > slowAfterMs) {
      saidSlow = true;
      options.onProgress('Waiting for PostgreSQL, which takes longer after a crash');
    }
    await sleep(pollMs);
  }
  return 'did not become ready in time';
}
