// A PostgreSQL that can be killed, paused and started again on the same data and port.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import pg from 'pg';

export interface PostgresProcess {
  /** The address of a database, without a proxy. */
  url(database: string): string;
  ensureDatabase(name: string): Promise<void>;
  /** The process ids of the postmaster and of its current child processes. */
  listProcesses(): Promise<number[]>;
  signalAll(signal: NodeJS.Signals): Promise<void>;
  /** Ends PostgreSQL: kill -9 of every process or of the postmaster only, or immediate shutdown. */
  crash(how: 'kill-all' | 'kill-postmaster' | 'immediate'): Promise<void>;
  /** Starts PostgreSQL again after a crash; resolves when it accepts connections. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresProcess(options: {
  dataDir: string;
  settings: Readonly<Record<string, string>>;
}): Promise<PostgresProcess> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres(options);
  let ended = watchEnd(server);
  const listProcesses = () => listFamily(server.pid);
  const signalAll = async (signal: NodeJS.Signals) => {
    for (const pid of await listProcesses()) signalQuietly(pid, signal);
  };
  return {
    url: (database) => server.url(database),
    ensureDatabase: (name) => server.ensureDatabase(name),
    listProcesses,
    signalAll,
    crash: async (how) => {
      if (how === 'kill-all') await signalAll('SIGKILL');
      else signalQuietly(server.pid, how === 'immediate' ? 'SIGQUIT' : 'SIGKILL');
      await ended;
      await server.stop();
    },
    restart: async () => {
      server = await startEmbeddedPostgres(options);
      ended = watchEnd(server);
      await waitUntilItAnswers(server.url('postgres'));
    },
    stop: () => server.stop(),
  };
}

const watchEnd = (server: EmbeddedPostgres): Promise<void> =>
  new Promise((resolve) => server.onExit(() => resolve()));

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Returns the process and its children, which are all processes of a PostgreSQL server. Each server process
 * has its own session, so one signal to a process group would not reach all of them.
 */
async function listFamily(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid ?? 0);
  return [parent, ...children];
}

async function waitUntilItAnswers(url: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; ) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(5);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
