// Creates the database cluster with initdb. The cluster is complete or does not exist.
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { type ProgramResult, runProgram } from '../binaries/run-program.ts';
import { forUserWithoutName, isUserWithoutName } from './nameless-user.ts';
import type { ServerUser } from './server-user.ts';

const unfinishedPrefix = 'postgres-unfinished-';

export const superuser = 'counterfoil';

export const isCluster = (clusterDir: string): boolean => existsSync(join(clusterDir, 'PG_VERSION'));

/**
 * Creates the cluster in a temporary folder and renames the folder at the end, so that a kill leaves no
 * partial cluster.
 */
export async function createCluster(options: {
  native: string;
  home: string;
  clusterDir: string;
  user: ServerUser | undefined;
  password: string;
}): Promise<void> {
  const { user, home, clusterDir } = options;
  await removeUnfinished(home);
  const work = await mkdtemp(join(home, unfinishedPrefix));
  try {
    const passwordFile = join(work, 'password');
    await writeFile(passwordFile, options.password, { mode: 0o600, flag: 'wx' });
    if (user) {
      await chown(passwordFile, user.uid, user.gid);
      await chown(work, user.uid, user.gid);
    }
    const made = join(work, 'cluster');
    const initdb = (native: string) => runInitdb({ native, clusterDir: made, passwordFile, user });
    let result = await initdb(options.native);
    if (result.code !== 0 && isUserWithoutName(result.output)) {
      result = await initdb(await forUserWithoutName({ native: options.native, work }));
    }
    if (result.code !== 0) {
      throw new PlainError(`The database cluster could not be created: ${result.output}`);
    }
    await rename(made, clusterDir);
    await syncFolder(home);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

function runInitdb(options: {
  native: string;
  clusterDir: string;
  passwordFile: string;
  user: ServerUser | undefined;
}): Promise<ProgramResult> {
  return runProgram({
    file: join(options.native, 'bin', 'initdb'),
    args: [
      `--pgdata=${options.clusterDir}`,
      `--username=${superuser}`,
      `--pwfile=${options.passwordFile}`,
      '--auth=scram-sha-256',
      '--data-checksums',
      '--encoding=UTF8',
      // The built-in locale C.UTF-8 sorts by code point like C, so no update of the system's libraries can
      // corrupt an index. Unlike C, C.UTF-8 handles letters outside ASCII.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    user: options.user,
  });
}

async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    // An initdb whose parent was killed may still write to this folder, and removing the folder then fails.
    // The next start removes the remaining files.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}
