// Starts, kills and restarts one wallet process of the built service on the same port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serviceFlags } from '@counterfoil/kit/process/run-processes';
import { productionAddresses } from '@counterfoil/kit/testing/production-addresses';
import { findFreePort } from './machine.ts';

const walletDist = new URL('../../../../services/wallet/server/dist/', import.meta.url);
const walletMain = fileURLToPath(new URL('bundle/main.js', walletDist));
/** The unbundled service. Each npm package in it is a separate file, which a fault can patch. */
export const walletInParts = fileURLToPath(new URL('main.js', walletDist));

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly masterKey: string;
  /** Additional environment variables, such as LD_PRELOAD. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node, such as `--import` with a module that causes a fault. */
  readonly nodeFlags?: readonly string[];
  /** A program with arguments that starts the service, such as `prlimit --nofile=64`. */
  readonly wrapper?: readonly string[];
  /** The path of another program with the wallet's API, which is started instead of the wallet. */
  readonly program?: string;
}

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: () => number;
  readonly isRunning: () => boolean;
  /** Starts the process and resolves when it is ready. `changed` replaces some of the options. */
  start(changed?: Partial<ServiceOptions>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /**
   * Sends the signal and waits until the process has ended; returns the exit code, or null if the signal
   * ended it.
   */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process has ended for any reason. */
  readonly ended: () => Promise<number | null>;
}

export async function prepareService(given: ServiceOptions): Promise<Service> {
  const port = await findFreePort();
  let options = given;
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(0);
  const isRunning = () => child !== undefined && child.exitCode === null && !child.signalCode;
  const signal = (name: NodeJS.Signals) => {
    // Signals the process group, which contains the wrapper and the service.
    if (child?.pid !== undefined && isRunning()) process.kill(-child.pid, name);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? 0,
    isRunning,
    start: async (changed = {}) => {
      options = { ...options, ...changed };
      const started = spawnService(options, port);
      child = started;
      ended = once(started, 'exit').then(([code]) => code as number | null);
      const failed = ended.then((code) => {
        throw new Error(`the service ended with ${code} before it was ready`);
      });
      // Prevents an unhandled rejection when the process ends after it was ready.
      failed.catch(() => {});
      await Promise.race([once(started, 'message'), failed]);
    },
    signal,
    end: async (name = 'SIGKILL') => {
      signal(name);
      return ended;
    },
    ended: () => ended,
  };
}

function spawnService(options: ServiceOptions, port: number): ChildProcess {
  const own = [process.execPath, ...serviceFlags, ...(options.nodeFlags ?? [])];
  const [program = '', ...args] = [...(options.wrapper ?? []), ...own, options.program ?? walletMain];
  return spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...productionAddresses,
      WALLET_PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'fatal',
      WALLET_PORT: String(port),
      WALLET_DATABASE_URL: options.databaseUrl,
      MASTER_KEY: options.masterKey,
      ...options.env,
    },
  });
}
