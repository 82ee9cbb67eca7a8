// Runs a service as one process, or as several processes on one port. If one of several processes exits, it
// is started again.

import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rebalanceConnections } from '../http/transport/rebalance-connections.ts';
import { shareMetrics } from '../observability/combined-metrics.ts';
import { readConfig } from './config.ts';
import { PlainError } from './plain-error.ts';
import { runMain } from './run-main.ts';
import { serviceSettings } from './service-settings.ts';

const longestPauseMs = 5000;
/**
 * A process that ran longer than this time is restarted after a short pause. If a process exits earlier, the
 * pause before its restart grows with each exit.
 */
const soundMs = 30_000;
/**
 * A stopping process is killed after this time. A normal stop takes less time, so only a process that hangs
 * is killed.
 */
const stopTimeoutMs = 620_000;

/** Reads the number of processes from `--processes N`, otherwise from PROCESSES. The default is 1. */
export function readProcesses(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const given = readArgument(args);
  const { PROCESSES } = serviceSettings;
  return readConfig(given === undefined ? env : { PROCESSES: given }, { PROCESSES }).PROCESSES;
}

function readArgument(args: readonly string[]): string | undefined {
  try {
    const options = { processes: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values.processes;
  } catch (error) {
    throw new PlainError((error as Error).message);
  }
}

/**
 * Runs `main` in one process or in several. If there are several processes, the first one only supervises
 * the others: it opens the port, restarts processes that exit, and has no database connection. The other
 * processes accept the connections on the port.
 */
export function runProcesses(main: () => Promise<void>): void {
  runMain(async () => {
    if (cluster.isWorker) return main();
    const count = readProcesses(process.argv.slice(2), process.env);
    if (count > 1) return superviseProcesses(count);
    // `main` reads this number, because `--processes 1` overrides PROCESSES.
    process.env.PROCESS_COUNT = '1';
    return main();
  });
}

/** Identifies one of the processes of a service that run on one machine. */
export interface ProcessPlace {
  /** From 1 to `count`. A process that replaces an exited process gets the same number. */
  readonly number: number;
  readonly count: number;
  /** A folder that only these processes open, for their sockets. */
  readonly folder: string;
}

/** The place of this process; undefined if the service runs as one process, or if there is no folder. */
export function findProcessPlace(env: NodeJS.ProcessEnv): ProcessPlace | undefined {
  const { PROCESS_NUMBER: number, PROCESS_COUNT: count, PROCESS_FOLDER: folder } = env;
  if (!cluster.isWorker || !number || !count || !folder) return undefined;
  return { number: Number(number), count: Number(count), folder };
}

/** The longest path of a socket on macOS is 103 bytes, on Linux 107. */
const maxSocketPath = 103;

/**
 * Creates the folder for the sockets of the workers. mkdtemp lets only this user open it. systemd's
 * RuntimeDirectory is preferred, because programs that clean up the folder of temporary files may remove the
 * sockets after some days. Without the folder, the processes run, but they cannot connect to each other.
 */
async function createFolder(): Promise<string> {
  try {
    const parent = process.env.RUNTIME_DIRECTORY || tmpdir();
    const longest = join(parent, 'counterfoil-123456', '64.sock');
    if (longest.length > maxSocketPath) throw new Error(`the path ${parent} is too long for sockets`);
    return await mkdtemp(join(parent, 'counterfoil-'));
  } catch (error) {
    say(`the processes cannot connect to each other: ${(error as Error).message}`);
    return '';
  }
}

const say = (line: string) => process.stderr.write(`${line}\n`);

interface Slot {
  readonly number: number;
  worker: Worker | undefined;
  /** Whether the worker has started. A starting worker answers no messages. */
  isReady: boolean;
  deaths: number;
}

async function superviseProcesses(count: number): Promise<void> {
  // Each worker accepts connections itself. If the supervisor accepted a connection and passed it to a
  // worker, the worker could exit before it receives the connection. The client would then wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const slots = Array.from(
    { length: count },
    (_, i): Slot => ({ number: i + 1, worker: undefined, isReady: false, deaths: 0 }),
  );
  const folder = await createFolder();
  let stopping = false;
  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await Promise.all(slots.map(({ worker }) => worker && stopChild(worker.process, stopTimeoutMs)));
    if (folder !== '') await rm(folder, { recursive: true, force: true }).catch(() => {});
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  process.once('disconnect', () => void stop(0));

  const start = async (slot: Slot): Promise<unknown> => {
    const worker = cluster.fork({
      PROCESS_NUMBER: String(slot.number),
      PROCESS_COUNT: String(count),
      PROCESS_FOLDER: folder,
    });
    slot.worker = worker;
    slot.isReady = false;
    const hello = await waitUntilReady(worker);
    slot.isReady = true;
    watch(slot, worker);
    return hello;
  };
  const watch = (slot: Slot, worker: Worker) => {
    const startedAt = Date.now();
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      slot.deaths = Date.now() - startedAt > soundMs ? 1 : slot.deaths + 1;
      say(`process ${slot.number} ended (${signal ?? `status ${code}`}); starting it again`);
      again(slot);
    });
  };
  const again = (slot: Slot) => {
    const pauseMs = Math.min(longestPauseMs, 100 * 2 ** slot.deaths);
    setTimeout(() => {
      if (stopping) return;
      start(slot).catch((error: Error) => {
        say(`process ${slot.number} did not start: ${error.message}`);
        slot.deaths++;
        again(slot);
      });
    }, pauseMs);
  };

  const listWorkers = () => slots.flatMap(({ worker }) => worker ?? []);
  shareMetrics(() => slots.flatMap(({ worker, isReady }) => (worker && isReady ? worker : [])));
  rebalanceConnections(listWorkers);
  const [first, ...others] = slots as [Slot, ...Slot[]];
  try {
    // The first worker starts alone, so that wrong settings are reported only once and only one process
    // migrates the database.
    const hello = await start(first);
    await Promise.all(others.map(start));
    process.send?.({ ready: true, hello });
  } catch {
    await stop(1);
  }
}

async function waitUntilReady(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: { ready?: boolean; hello?: unknown }) => {
      if (message.ready) resolve(message.hello);
    });
    worker.once('exit', (code) => reject(new Error(`it ended with status ${code}`)));
    // A message to an exiting worker causes an `error` event, which would end this process if there were no
    // listener.
    worker.on('error', reject);
  });
}

/**
 * Stops a child process, and resolves when it has ended. If it still runs after `timeoutMs`, it is killed.
 */
export async function stopChild(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(timer);
}

/**
 * The Node flags of every service. The files that start a service alone repeat them: package.json,
 * compose.yaml, the Dockerfile and the systemd units.
 *
 * Each minor garbage collection copies the requests that wait for the database. A semi-space of 32 MiB
 * instead of 16 MiB makes these collections rarer. A semi-space of 64 MiB would need 100 MB more memory.
 *
 * Without the other two flags, V8 lets the old generation grow to several times the objects in use before it
 * collects it. With them, the first collection starts at 64 MiB, and each later one when the objects in use
 * have grown by half. docs/internals/performance.md has the figures.
 */
export const serviceFlags: readonly string[] = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=50',
  '--initial-old-space-size=64',
];
