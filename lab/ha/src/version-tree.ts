// Creates a source tree of a different version: an older commit, or this commit with an additional migration.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import type { TestEnvironment } from './test-environment.ts';
import { rootFolder } from './wallet-service.ts';

const run = promisify(execFile);
const git = (...args: string[]) => run('git', ['-C', rootFolder, ...args]);

/** The folders of the npm packages that the wallet service uses, by package name. */
const packageFolders = {
  'embedded-postgres': 'libs/embedded-postgres',
  identity: 'libs/identity',
  kit: 'libs/kit',
  webhooks: 'libs/webhooks',
  'wallet-server': 'services/wallet/server',
} as const;

/**
 * Up to version 0.1.0, the npm packages were in the root folder, and the package `kit` contained all
 * libraries.
 */
const oldPackageFolders = { kit: 'kit', 'wallet-server': 'wallet/server' } as const;

const foldersOf = (tree: string): Readonly<Record<string, string>> =>
  existsSync(join(tree, 'kit')) ? oldPackageFolders : packageFolders;

/** The trees share the packages from the npm registry. Each tree has its own `@counterfoil` packages. */
async function linkPackages(tree: string): Promise<void> {
  const shared = join(rootFolder, 'node_modules');
  const own = join(tree, 'node_modules');
  await mkdir(join(own, '@counterfoil'), { recursive: true });
  for (const name of await readdir(shared)) {
    if (name === '@counterfoil' || name.startsWith('.')) continue;
    await symlink(join(shared, name), join(own, name));
  }
  for (const [name, folder] of Object.entries(foldersOf(tree))) {
    await symlink(join(tree, folder), join(own, '@counterfoil', name));
  }
}

/** Adds only columns, an index and a table, because the previous version still runs on this schema. */
const planted = `-- Adds columns, an index and a table while the previous version serves.
alter table players add column trial_note text;
alter table journal add column trial_mark smallint;
create index players_trial_note on players (package_id, trial_note) where trial_note is not null;
create table trial_rows (
  package_id integer not null references packages (id),
  id bigint not null,
  primary key (package_id, id)
);
`;

const plantedMigration = '9000_plant_trial.sql';

export async function copyWithMigration(environment: TestEnvironment): Promise<string> {
  const tree = join(environment.folder, 'next');
  for (const folder of [...Object.values(packageFolders), 'services/wallet/panel']) {
    for (const part of ['dist', 'migrations', 'package.json']) {
      const from = join(rootFolder, folder, part);
      await cp(from, join(tree, folder, part), { recursive: true }).catch(() => {});
    }
  }
  await linkPackages(tree);
  await writeFile(join(tree, 'services/wallet/server/migrations', plantedMigration), planted);
  return tree;
}

/** The tag of the newest release before this commit; undefined if there is none. */
export async function findLastRelease(): Promise<string | undefined> {
  const found = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => undefined);
  return found?.stdout.trim() || undefined;
}

export async function checkOut(environment: TestEnvironment, ref: string): Promise<string> {
  const tree = join(environment.folder, 'before');
  try {
    await git('worktree', 'add', '--detach', tree, ref);
  } catch (error) {
    throw new PlainError(`${ref} cannot be checked out: ${(error as { stderr?: string }).stderr}`);
  }
  environment.later(async () => {
    await git('worktree', 'remove', '--force', tree);
  });
  await linkPackages(tree);
  const tsc = join(rootFolder, 'node_modules/typescript/bin/tsc');
  const config = `${foldersOf(tree)['wallet-server']}/tsconfig.build.json`;
  await run(process.execPath, [tsc, '-b', config], { cwd: tree });
  return tree;
}
