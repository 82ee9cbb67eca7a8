// Runs `npm start` as a child process with free ports and a separate data folder, for tests that
// kill it.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@counterfoil/kit/testing/free-port';

export const root = join(import.meta.dirname, '../../..');

export interface StackSettings {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly licensing: string;
  readonly wallet: string;
  readonly provider: string;
}

export async function prepareStack(): Promise<StackSettings> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-stack-'));
  await chmod(dataDir, 0o755);
  const [licensing, wallet, provider] = [await findFreePort(), await findFreePort(), await findFreePort()];
  // No other test can take this port while the test restarts PostgreSQL.
  await writeFile(join(dataDir, 'postgres-port'), `${await findFreePort()}\n`);
  const { npm_lifecycle_event: _npm, NODE_ENV: _env, ...inherited } = process.env;
  return {
    dataDir,
    licensing: `http://127.0.0.1:${licensing}`,
    wallet: `http://127.0.0.1:${wallet}`,
    provider: `http://127.0.0.1:${provider}`,
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      LICENSING_PORT: String(licensing),
      WALLET_PORT: String(wallet),
      PROVIDER_PORT: String(provider),
    },
  };
}

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves when the text is printed. Rejects if the process ends before it has printed the text. */
  until(text: string): Promise<void>;
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function runVerb(args: string[], env: NodeJS.ProcessEnv): Run {
  const child = spawn(process.execPath, ['run.mjs', ...args], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return {
    child,
    output: () => output,
    ended: () => ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        void ended.then(() => reject(new Error(`no "${text}":\n${output}`)));
        look();
      }),
  };
}
