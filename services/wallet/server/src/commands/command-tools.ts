// The parts that all commands share: the database and settings of the service, and the output.

import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { OutputOptions, Terminal } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { operator } from '../audit/audit-event.ts';
import type { Config } from '../config.ts';
import { fail } from '../errors.ts';
import type { PackageTarget } from '../packages/lock-package.ts';
import { findPackageId } from '../packages/queries.ts';
import { createWalletSignIn } from '../sign-in.ts';

export interface CommandTools extends Terminal {
  readonly run: <T>(work: (tools: { config: Config; db: Db }) => Promise<T>) => Promise<T>;
}

/**
 * Creates the sign-in for commands that print a link. Throws in production if no public URL is configured,
 * because the link would then work only on this machine.
 */
export function createLinkSignIn(db: Db, config: Config): SignIn {
  if (!config.canMakeLinks) {
    throw new CommandRefused(
      'WALLET_PUBLIC_URL is required for links when NODE_ENV is production; nothing was changed',
    );
  }
  return createWalletSignIn(db, config);
}

/** Adds a command whose argument is a package. */
export const addOnPackage = (packages: Command, verb: string, description: string): Command =>
  packages
    .command(verb)
    .description(description)
    .argument('<package>', 'its UID or its number')
    .option('--json', 'print JSON');

export interface OfPackage extends OutputOptions {
  readonly package: string;
}

/** Adds a command whose option `--package` names a package. */
export const addForPackage = (parent: Command, verb: string, description: string): Command =>
  parent
    .command(verb)
    .description(description)
    .requiredOption('--package <uid>', 'the package, by its UID or its number');

/** Runs `work` on the package with this UID or number. */
export const runOnPackage = (
  tools: CommandTools,
  name: string,
  work: (tools: { config: Config; db: Db; target: PackageTarget }) => Promise<void>,
): Promise<void> =>
  tools.run(async ({ config, db }) => {
    const packageId = await findPackageId(db, name);
    if (packageId === undefined) throw fail('package_not_found');
    await work({ config, db, target: { packageId, actor: operator, at: new Date() } });
  });
