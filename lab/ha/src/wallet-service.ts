// Starts wallet processes and waits until they are ready.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { serviceFlags } from '@counterfoil/kit/process/run-processes';
import { type Program, readLastLines, type TestEnvironment, waitFor } from './test-environment.ts';

export const rootFolder = fileURLToPath(new URL('../../..', import.meta.url));

export interface WalletService {
  readonly program: Program;
  readonly address: string;
}

/**
 * Finds the main file of the service. Older versions have the service in a different folder, and some have no
 * bundled build.
 */
function findMain(tree: string): string {
  const [current, old] = ['services/wallet/server/dist', 'wallet/server/dist'];
  const dist = join(tree, existsSync(join(tree, current)) ? current : old);
  const bundled = join(dist, 'bundle/main.js');
  return existsSync(bundled) ? bundled : join(dist, 'main.js');
}

/** `tree` is the root folder of the version to run. The default is the root folder of this version. */
export async function startWallet(
  environment: TestEnvironment,
  options: { name: string; port: number; env: NodeJS.ProcessEnv; tree?: string },
): Promise<WalletService> {
  const file = findMain(options.tree ?? rootFolder);
  const program = environment.start({
    name: options.name,
    file: process.execPath,
    args: [...serviceFlags, file],
    env: { LOG_LEVEL: 'warn', ...options.env, WALLET_PORT: String(options.port) },
  });
  const address = `http://127.0.0.1:${options.port}`;
  const isReady = async () => {
    if (!program.isRunning()) return 'ended' as const;
    return (await fetch(`${address}/readyz`)).ok ? ('ready' as const) : undefined;
  };
  const state = await waitFor(options.name, isReady, 120_000);
  if (state === 'ended') {
    throw new PlainError(`${options.name} did not start:\n${await readLastLines(environment, options.name)}`);
  }
  return { program, address };
}
