// Starts the process of the load generator and sends it one run after another.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GeneratorResult, GeneratorRun } from './generator-process.ts';

export type { GeneratorResult } from './generator-process.ts';

export interface Generator {
  readonly pid: number;
  run(options: GeneratorRun): Promise<GeneratorResult>;
  stop(): void;
}

const program = fileURLToPath(new URL('generator-process.js', import.meta.url));

export async function startGenerator(): Promise<Generator> {
  const child = fork(program, { execArgv: ['--max-semi-space-size=64'] });
  await nextMessage(child);
  return {
    pid: child.pid ?? 0,
    run: async (options) => {
      child.send(options);
      const message = (await nextMessage(child)) as { result?: GeneratorResult; error?: string };
      if (!message.result) throw new Error(`the load generator failed: ${message.error}`);
      return message.result;
    },
    stop: () => child.disconnect(),
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const ended = once(child, 'exit', { signal: done.signal }).then(([code]) => {
    throw new Error(`the load generator ended with ${code}`);
  });
  ended.catch(() => {});
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: done.signal }), ended]);
    return message;
  } finally {
    done.abort();
  }
}
