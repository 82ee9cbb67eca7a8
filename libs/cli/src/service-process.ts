// Runs a service as a child process, which is started again when it exits.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { serviceFlags, stopChild } from '@counterfoil/kit/process/run-processes';
import { say } from './terminal.ts';

const readyTimeoutMs = deadlineMs(60_000);
const stopTimeoutMs = deadlineMs(15_000);
const longestPauseMs = 5_000;
const watchFlags = ['--watch', '--watch-preserve-output'];

export interface ServiceOptions {
  readonly name: string;
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  /** Lets Node restart the service when a file that the service loaded changes (`npm run dev`). */
  readonly watch: boolean;
}

/** Resolves when the service listens. A service that exits later is started again, with increasing pauses. */
export async function startService(options: ServiceOptions) {
  let stopping = false;
  let deaths = 0;
  let timer: NodeJS.Timeout | undefined;
  const first = await launch(options);
  let child = first.child;

  const watch = () => {
    const startedAt = Date.now();
    child.once('exit', (code, signal) => {
      if (stopping) return;
      deaths = Date.now() - startedAt > 30_000 ? 1 : deaths + 1;
      const pauseMs = Math.min(longestPauseMs, 100 * 2 ** deaths);
      say(`${options.name} ended (${signal ?? `status ${code}`}); starting it again …`);
      timer = setTimeout(restart, pauseMs);
    });
  };
  const restart = () => {
    launch(options).then(
      (next) => {
        child = next.child;
        if (stopping) child.kill('SIGTERM');
        else say(`${options.name} is back.`);
        watch();
      },
      (error: Error) => {
        say(`${options.name} did not start: ${error.message}`);
        deaths++;
        if (!stopping) timer = setTimeout(restart, longestPauseMs);
      },
    );
  };
  watch();

  return {
    hello: first.hello,
    stop: async (): Promise<void> => {
      stopping = true;
      clearTimeout(timer);
      await stopChild(child, stopTimeoutMs);
    },
  };
}

async function launch(options: ServiceOptions): Promise<{ child: ChildProcess; hello: unknown }> {
  // The service gets a separate process group, so that Ctrl-C reaches only the process of `npm start`. That
  // process then stops its services one after the other.
  const flags = options.watch ? [...watchFlags, ...serviceFlags] : serviceFlags;
  const child = spawn(process.execPath, [...flags, options.file], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      if (ready) say(`${options.name} │ ${line}`);
    });
  }
  let ready = false;
  const hello = await new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it did not become ready in time')), readyTimeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      reject(new Error(lastLines.join('\n') || `it ended with status ${code}`));
    });
    child.on('message', (message: { ready?: boolean; hello?: unknown }) => {
      // In watch mode, Node also sends its own messages over this channel. They are ignored.
      if (!message.ready) return;
      clearTimeout(timer);
      ready = true;
      resolve(message.hello);
    });
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { child, hello };
}
