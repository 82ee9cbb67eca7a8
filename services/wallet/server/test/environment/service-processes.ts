// Starts the wallet service as several processes on one port, or as one process that a test kills.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { productionAddresses } from '@counterfoil/kit/testing/production-addresses';
import type { Given } from './given.ts';

export interface Answer {
  readonly status: number;
  readonly body: {
    code?: string;
    data: { balance: number; status: string; duplicate: boolean; transaction: { id: string } };
  };
  readonly text: string;
}

export interface ServiceProcesses {
  readonly supervisor: ChildProcess;
  readonly port: number;
  ask(path: string, headers?: Record<string, string>, body?: object): Promise<Answer>;
  /** The number of requests that each live process has answered, by process number. */
  countAnswers(): Promise<ReadonlyMap<string, number>>;
  listPids(): number[];
  /** Finds the process that started first or last. Pids wrap around, so they do not show the order. */
  findPid(which: 'oldest' | 'newest'): number;
  stop(): Promise<number | null>;
}

/** The number of connections. It is high enough that each process gets some of them. */
const connections = 32;

export async function startProcesses(
  given: Given,
  count: number,
  env: Record<string, string> = {},
): Promise<ServiceProcesses> {
  const port = await findFreePort();
  const supervisor = fork('services/wallet/server/dist/bundle/main.js', ['--processes', String(count)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      LOG_LEVEL: 'error',
      DATABASE_CONNECTIONS: '4',
      // Failed authentications are not limited. Tests repeat refused calls until every process has answered a
      // call.
      AUTH_FAILURES_PER_MINUTE: '0',
      WALLET_PORT: String(port),
      WALLET_DATABASE_URL: given.config.databaseUrl,
      MASTER_KEY: given.masterKeyText,
      ...env,
    },
  });
  const failed = once(supervisor, 'exit').then(() => Promise.reject(new Error('the supervisor ended')));
  await Promise.race([once(supervisor, 'message'), failed]);
  failed.catch(() => {});
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const ask = createAsk(agent, port);
  return {
    supervisor,
    port,
    ask,
    countAnswers: async () => {
      const counts = new Map<string, number>();
      const { text } = await ask('/metrics');
      const line = /^(process_start_time|http_request_duration)_seconds(?:_count)?\{(.*)\} (\d+)/gm;
      for (const [, name, labels = '', count = '0'] of text.matchAll(line)) {
        const number = /process="(\d+)"/.exec(labels)?.[1] ?? '';
        const answered = name === 'http_request_duration' ? Number(count) : 0;
        counts.set(number, (counts.get(number) ?? 0) + answered);
      }
      return counts;
    },
    listPids: () => findChildren(supervisor),
    findPid: (which) => findChildren(supervisor, which === 'oldest' ? '-o' : '-n')[0] ?? 0,
    stop: async () => {
      agent.destroy();
      if (supervisor.exitCode !== null) return supervisor.exitCode;
      const exited = once(supervisor, 'exit');
      supervisor.kill('SIGTERM');
      return (await exited)[0] as number | null;
    },
  };
}

const findChildren = ({ pid }: ChildProcess, ...options: string[]): number[] =>
  execFileSync('pgrep', [...options, '-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

const createAsk =
  (agent: Agent, port: number): ServiceProcesses['ask'] =>
  (path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const asked = request(
        {
          agent,
          port,
          path,
          host: '127.0.0.1',
          timeout: 180_000,
          method: body ? 'POST' : 'GET',
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8');
            const isJson = answer.headers['content-type']?.startsWith('application/json');
            resolve({
              status: answer.statusCode ?? 0,
              text,
              body: isJson ? JSON.parse(text) : {},
            });
          });
        },
      );
      asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });

/** A service that is killed and started again on the same port. */
export interface Victim {
  readonly origin: string;
  /** Resolves when the process that was started last accepts requests. */
  isUp(): Promise<unknown>;
  kill(): Promise<void>;
  startAgain(): Promise<unknown>;
}

export async function startVictim(given: Given, env: Record<string, string> = {}): Promise<Victim> {
  const port = await findFreePort();
  let up: Promise<ChildProcess>;
  const start = async (): Promise<ChildProcess> => {
    const child = fork('services/wallet/server/dist/bundle/main.js', [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ...productionAddresses,
        LOG_LEVEL: 'error',
        WALLET_PORT: String(port),
        WALLET_DATABASE_URL: given.config.databaseUrl,
        MASTER_KEY: given.masterKeyText,
        ...env,
      },
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the service ended with ${code}`);
    });
    ended.catch(() => {});
    await Promise.race([once(child, 'message'), ended]);
    return child;
  };
  up = start();
  await up;
  return {
    origin: `http://127.0.0.1:${port}`,
    isUp: () => up,
    kill: async () => {
      const child = await up;
      if (child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    startAgain: () => {
      up = start();
      return up;
    },
  };
}
