// The parts of the wallet that the counterfoil command uses: its commands, settings and provider check.

import { withLocalEnvironment } from '@counterfoil/embedded-postgres/local-environment';
import type { Terminal } from '@counterfoil/kit/process/command-line/print';
import type { Environment } from '@counterfoil/kit/process/config';
import { type CommandOptions, createCommandRunner } from '@counterfoil/kit/process/run-command';
import type { Command } from 'commander';
import { createProgram } from './commands/program.ts';
import { type Config, readWalletConfig } from './config.ts';
import { migrationFolders } from './migration-folders.ts';
import { createHttpUpstream } from './upstream/http-upstream.ts';
import { type CatalogueSource, UpstreamFailure } from './upstream/upstream.ts';
import type { UpstreamSettings } from './upstream/upstream-settings.ts';

export const service = {
  service: 'wallet',
  urlName: 'WALLET_DATABASE_URL',
  readConfig: (env: Environment) => readWalletConfig(env, 'command'),
  migrationFolders,
} as const;

type Terms = Pick<CommandOptions<Config>, 'env' | 'onReady'>;

export function openProgram(terminal: Terminal, terms: Terms = {}): Command {
  return createProgram({
    ...terminal,
    run: createCommandRunner({ ...service, ...terms, withEnvironment: withLocalEnvironment }),
  });
}

/** The number of games that a source of the catalogue lists, or the reason why it failed. */
export async function tryCatalogue(
  settings: UpstreamSettings,
  source: CatalogueSource,
): Promise<{ games: number } | { failure: string }> {
  const upstream = createHttpUpstream(settings);
  try {
    const fetched = await upstream.fetchCatalogue(source, undefined);
    return { games: fetched?.content.entries.length ?? 0 };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { failure: error.reason };
  } finally {
    await upstream.close();
  }
}
