// Runs everything that `npm start` runs, in a separate folder and on separate ports.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from './machine.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const patienceMs = 90_000;

export interface FullStack {
  readonly walletUrl: string;
  readonly databaseUrl: () => Promise<string>;
  readonly masterKey: () => Promise<string>;
  readonly pid: () => number;
  /** Resolves when the supervisor prints that Counterfoil is running. */
  start(): Promise<void>;
  /** The process id of the first descendant of `npm start` whose command line matches. */
  findProcess(part: RegExp): Promise<number>;
  waitForEnd(): Promise<void>;
  remove(): Promise<void>;
}

interface Line {
  readonly pid: number;
  readonly ppid: number;
  readonly args: string;
}

async function listProcesses(): Promise<Line[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), args }];
  });
}

function findBelow(lines: readonly Line[], top: number, part: RegExp): Line | undefined {
  const family = new Set([top]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, ppid } of lines) if (family.has(ppid)) family.add(pid);
  }
  return lines.find(({ pid, args }) => family.has(pid) && part.test(args));
}

const launch = (env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, ['libs/cli/dist/start.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'] as const,
  });

async function waitUntilItRuns(child: ChildProcess): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
  }
  for (let waitedMs = 0; !said.includes('Counterfoil is running'); waitedMs += 50) {
    if (child.exitCode !== null || waitedMs > patienceMs) throw new Error(said);
    await sleep(50);
  }
}

export async function prepareFullStack(): Promise<FullStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-faults-stack-'));
  await chmod(dataDir, 0o755);
  const [licensing, wallet, provider] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const { npm_lifecycle_event: _npm, NODE_ENV: _mode, ...inherited } = process.env;
  const env = {
    ...inherited,
    DATA_DIR: dataDir,
    LICENSING_PORT: String(licensing),
    WALLET_PORT: String(wallet),
    PROVIDER_PORT: String(provider),
  };
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const top = () => child?.pid ?? 0;
  return {
    walletUrl: `http://127.0.0.1:${wallet}`,
    databaseUrl: async () =>
      JSON.parse(await readFile(join(dataDir, 'runtime.json'), 'utf8')).wallet as string,
    masterKey: async () => (await readFile(join(dataDir, 'master.key'), 'utf8')).trim(),
    pid: top,
    start: async () => {
      child = launch(env);
      ended = once(child, 'exit');
      await waitUntilItRuns(child);
    },
    findProcess: async (part) => {
      const found = findBelow(await listProcesses(), top(), part);
      if (!found) throw new Error(`npm start has no process like ${part}`);
      return found.pid;
    },
    waitForEnd: async () => void (await ended),
    remove: async () => {
      if (child?.exitCode === null && !child.signalCode) {
        child.kill('SIGTERM');
        await ended;
      }
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
