// Verbs on one package: how it is named, and that an operator does it now.
import type { Db } from '@counterfoil/kit/postgres/db';
import { Command } from 'commander';
import { operator } from '../audit/audit-event.ts';
import { fail } from '../errors.ts';
import type { PackageTarget } from '../packages/lock-package.ts';
import { findPackageId } from '../packages/queries.ts';

export const onPackage = (verb: string, description: string): Command =>
  new Command(verb)
    .description(description)
    .argument('<package>', 'its UID or its number')
    .option('--json', 'print JSON');

export async function aim(db: Db, name: string): Promise<PackageTarget> {
  const packageId = await findPackageId(db, name);
  if (packageId === undefined) throw fail('package_not_found');
  return { packageId, actor: operator, at: new Date() };
}
