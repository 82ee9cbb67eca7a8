// What whoever operates licensing may use of it: its command line and its facts.
import type { Terminal } from '@counterfoil/kit/command-line/print';
import type { Environment } from '@counterfoil/kit/config';
import { createCommandRunner } from '@counterfoil/kit/run-command';
import type { Command } from 'commander';
import { createProgram } from './commands/program.ts';
import { readLicensingConfig } from './config.ts';
import { migrationFolders } from './migration-folders.ts';

export const service = {
  service: 'licensing',
  urlName: 'LICENSING_DATABASE_URL',
  readConfig: readLicensingConfig,
  migrationFolders,
} as const;

export function openProgram(
  terminal: Terminal & { readonly readInput: () => Promise<string> },
  env: Environment,
): Command {
  return createProgram({ ...terminal, run: createCommandRunner({ ...service, env }) });
}
