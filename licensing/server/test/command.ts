// Runs the licensing command as a child process against a test's own database.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Given } from './given.ts';

const program = join(import.meta.dirname, '../dist/command.js');

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
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Outcome>;
  file(name: string, content: string | Buffer): Promise<string>;
  path(name: string): string;
  close(): Promise<void>;
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
  return {
    start,
    run: (...args) => start(...args).ended,
    path: (name) => join(folder, name),
    file: async (name, content) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
