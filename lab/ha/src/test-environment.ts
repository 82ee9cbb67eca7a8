// A temporary folder and the programs that run in it. `leave` ends the programs and removes the folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseServerUser, type ServerUser } from '@counterfoil/embedded-postgres/cluster/server-user';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export interface Program {
  readonly name: string;
  readonly child: ChildProcess;
  isRunning(): boolean;
  /** Sends SIGTERM, and SIGKILL if the program still runs after 20 s. Resolves when the program has ended. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface TestEnvironment {
  readonly folder: string;
  /** The user that runs databases; undefined means the current user. */
  readonly user: ServerUser | undefined;
  write(name: string, text: string): Promise<string>;
  start(options: StartOptions): Program;
  /** Registers a function that `leave` calls. The function that was registered last is called first. */
  later(undo: () => Promise<void>): void;
  leave(): Promise<void>;
}

interface StartOptions {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** If true, the program runs as the user of the databases, because the program refuses to run as root. */
  readonly asUser?: boolean;
}

const stopMs = 20_000;

export async function openTestEnvironment(title: string): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), `counterfoil-${title}-`));
  const user = await chooseServerUser(join(folder, 'none'));
  // Other users must be able to enter this folder; files with secrets have a stricter mode.
  await chmod(folder, 0o711);
  if (user) await chown(folder, user.uid, user.gid);
  const undoings: (() => Promise<void>)[] = [];
  let leaving: Promise<void> | undefined;

  const environment: TestEnvironment = {
    folder,
    user,
    write: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600 });
      if (user) await chown(path, user.uid, user.gid);
      return path;
    },
    start: (options) => {
      const program = startProgram(environment, options);
      undoings.push(() => program.stop());
      return program;
    },
    later: (undo) => void undoings.push(undo),
    leave: () => {
      leaving ??= (async () => {
        for (const undo of undoings.reverse()) await undo().catch(() => {});
        await rm(folder, { recursive: true, force: true });
      })();
      return leaving;
    },
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void environment.leave().then(() => process.exit(130)));
  }
  return environment;
}

function startProgram(environment: TestEnvironment, options: StartOptions): Program {
  const log = openSync(join(environment.folder, `${options.name}.log`), 'a');
  const child = spawn(options.file, [...options.args], {
    cwd: environment.folder,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: environment.folder, ...options.env },
    // The programs do not receive Ctrl-C. Only this process receives Ctrl-C, and then stops the programs in
    // order.
    detached: true,
    ...(options.asUser && environment.user && { uid: environment.user.uid, gid: environment.user.gid }),
  });
  child.on('error', () => {});
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!isRunning()) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    name: options.name,
    child,
    isRunning,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** The last lines of a program's log, for error messages. */
export async function readLastLines(environment: TestEnvironment, name: string): Promise<string> {
  const text = await readFile(join(environment.folder, `${name}.log`), 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-15).join('\n');
}

export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new PlainError(`Waited ${timeoutMs / 1000} s for ${what} without success.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Finds several ports at once, so that they differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}

const run = promisify(execFile);

async function listChildren(pid: number): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * Sends SIGKILL to the process and its children, but not to the children of its children. The children are
 * listed before the kill, because the children of a dead process cannot be found.
 */
export async function endProcessTree(pid: number): Promise<void> {
  const children = await listChildren(pid);
  kill(pid);
  for (const child of children) kill(child);
}
