// Runs a program as the user that runs the server, and returns its exit code and output.
import { spawn } from 'node:child_process';
import type { ServerUser } from '../cluster/server-user.ts';

const outputLimit = 8_192;

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

/** Returns the environment of a child process, without the PG* settings and the secrets of the caller. */
export function programEnvironment(): NodeJS.ProcessEnv {
  // With UTC and the locale C, clusters are the same on every machine. With the locale C, PostgreSQL's
  // messages are in English, and our code parses the English messages.
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

export function runProgram(program: {
  file: string;
  args: readonly string[];
  user: ServerUser | undefined;
}): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program.file, program.args, {
      ...(program.user ? { uid: program.user.uid, gid: program.user.gid } : {}),
      cwd: '/',
      env: programEnvironment(),
      // The program gets a separate process group, so that Ctrl-C in the terminal reaches only the
      // caller.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const endWithUs = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // The program has already ended, so there is nothing to kill.
      }
    };
    process.once('exit', endWithUs);
    child.once('error', (error) => {
      process.off('exit', endWithUs);
      reject(new Error(`${program.file} could not be run: ${error.message}`, { cause: error }));
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputLimit);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('close', (code) => {
      process.off('exit', endWithUs);
      resolve({ code, output: output.trim() });
    });
  });
}
