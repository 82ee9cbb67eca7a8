// The parts of licensing that the `counterfoil` command uses: commands, settings and migrations.

import { withLocalEnvironment } from '@counterfoil/embedded-postgres/local-environment';
import type { Terminal } from '@counterfoil/kit/process/command-line/print';
import type { Environment } from '@counterfoil/kit/process/config';
import { type CommandOptions, createCommandRunner } from '@counterfoil/kit/process/run-command';
import type { Command } from 'commander';
import { createProgram } from './commands/program.ts';
import { type Config, readLicensingConfig } from './config.ts';
import { migrationFolders } from './migration-folders.ts';

export const service = {
  service: 'licensing',
  urlName: 'LICENSING_DATABASE_URL',
  readConfig: (env: Environment) => readLicensingConfig(env, 'command'),
  migrationFolders,
} as const;

type Terms = Pick<CommandOptions<Config>, 'env' | 'onReady'>;

export function openProgram(
  terminal: Terminal & { readonly readInput: () => Promise<string> },
  terms: Terms = {},
): Command {
  return createProgram({
    ...terminal,
    run: createCommandRunner({ ...service, ...terms, withEnvironment: withLocalEnvironment }),
  });
}
