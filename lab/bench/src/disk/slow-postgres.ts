// Starts a PostgreSQL server under strace. strace traces the flushes of the server and can delay them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export interface TracedPostgres {
  readonly pid: number;
  url(database: string): string;
  ensureDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('postgres-process.js', import.meta.url));

export function requireStrace(): void {
  const { error } = spawnSync('strace', ['--version']);
  if (!error) return;
  throw new PlainError(
    'This measurement delays flushes with strace, which is not installed. On Debian and Ubuntu: ' +
      'apt install strace.',
  );
}

/**
 * With a kernel filter (seccomp), strace stops PostgreSQL only at flushes, so everything else runs at full
 * speed.
 */
const traceFlags = (delayMs: number): string[] => [
  ...['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync'],
  ...(delayMs > 0 ? ['-e', `inject=fdatasync:delay_exit=${delayMs * 1000}`] : []),
];

export async function startTracedPostgres(options: {
  dataDir: string;
  delayMs: number;
}): Promise<TracedPostgres> {
  const child = spawn('strace', [...traceFlags(options.delayMs), process.execPath, program], {
    env: { ...process.env, BENCH_DISK_DIR: options.dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('PostgreSQL under strace ended');
    return JSON.parse(value) as T;
  };
  const { pid, url } = await readLine<{ pid: number; url: string }>();
  return {
    pid,
    url: (database) => url.replace('DATABASE', database),
    ensureDatabase: async (name) => {
      child.stdin.write(`${name}\n`);
      await readLine();
    },
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}
