// Runs the licensing command on the database of a test. The command runs as a child process or inside the
// process of the test. Running inside is four times as fast. The `workspaces` commands always run as a child
// process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@counterfoil/kit/process/run-command';
import { withoutLeftListeners } from '@counterfoil/kit/testing/intercept';
import { vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import type { Given } from './given.ts';

const program = join(import.meta.dirname, '../../dist/command.js');

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
}

export interface TestCommand {
  /** Starts the built program as a child process. */
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Outcome>;
  file(name: string, content: string | Buffer): Promise<string>;
  path(name: string): string;
  close(): Promise<void>;
}

/**
 * Runs a command inside the process of the test. The function captures the output streams of this process, so
 * only one command can run at a time.
 */
async function runInside(given: Given, args: readonly string[]): Promise<Outcome> {
  const said = { out: '', err: '' };
  const listen = (stream: NodeJS.WriteStream, name: 'out' | 'err') =>
    vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest: unknown[]) => {
      said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    });
  const { config, db } = given;
  const program = createProgram({
    run: (work) => work({ config, db }),
    print: (line) => void process.stdout.write(`${line}\n`),
    readInput: async () => '',
  });
  const parse = program.parseAsync.bind(program);
  program.parseAsync = () => parse(args, { from: 'user' });
  const spies = [listen(process.stdout, 'out'), listen(process.stderr, 'err')];
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await withoutLeftListeners(() => runCommand(program));
    return { code: Number(process.exitCode), ...said };
  } catch (error) {
    return { code: 1, out: said.out, err: `${said.err}${error}` };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

export async function openCommand(given: Given, masterKey: string): Promise<TestCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-command-'));
  const start = (...args: string[]): Running => {
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        ...process.env,
        LICENSING_DATABASE_URL: given.config.databaseUrl,
        MASTER_KEY: masterKey,
        FILES_DIR: given.config.filesDir,
      },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const ended = new Promise<Outcome>((resolve) =>
      child.once('close', (code) => resolve({ code, out, err })),
    );
    return { child, ended };
  };
  let last: Promise<unknown> = Promise.resolve();
  const run = (...args: string[]): Promise<Outcome> => {
    if (args[0] === 'workspaces') return start(...args).ended;
    const outcome = last.then(() => runInside(given, args));
    last = outcome;
    return outcome;
  };
  return {
    start,
    run,
    path: (name) => join(folder, name),
    file: async (name, content) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
