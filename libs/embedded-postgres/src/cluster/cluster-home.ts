// Decides the folder of the database cluster and the user that runs PostgreSQL.
import { chmod, mkdtemp, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeptFile, writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { openPrivateFolder } from '../binaries/private-folder.ts';
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts';

export interface ClusterHome {
  readonly folder: string;
  readonly user: ServerUser | undefined;
}

/**
 * Finds the folder of the cluster. By default, the cluster is inside the data folder. If the current user is
 * root, a different user runs PostgreSQL. That user may be unable to enter the data folder, for example in a
 * project under /root. Then the cluster is in a different folder, and the file `postgres-location` in the
 * data folder contains the path of that folder.
 */
export async function openClusterHome(options: {
  dataDir: string;
  onProgress: (message: string) => void;
}): Promise<ClusterHome> {
  const { dataDir } = options;
  const pointer = join(dataDir, 'postgres-location');
  const elsewhere = await readKeptFile(pointer);
  if (elsewhere !== undefined) {
    const folder = await realpath(elsewhere).catch(() => undefined);
    if (folder === undefined) {
      // The file `postgres-location` names a folder that does not exist. The start is refused, because a
      // start with an empty database would hide that the data is missing.
      throw new PlainError(
        `The database of ${dataDir} is in ${elsewhere}, which does not exist; restore it, ` +
          `or delete ${pointer} to begin with an empty database.`,
      );
    }
    return { folder, user: await chooseServerUser(clusterDirOf(folder)) };
  }

  const user = await chooseServerUser(clusterDirOf(dataDir));
  if (user === undefined || (await canEnter(user, dataDir))) return { folder: dataDir, user };
  const existing = await stat(clusterDirOf(dataDir)).catch(() => undefined);
  if (existing?.isDirectory()) {
    throw new PlainError(
      `PostgreSQL runs as ${user.name}, who cannot enter ${dataDir}; ` +
        'allow everyone to pass through the folders above it (chmod a+x).',
    );
  }
  const folder = await realpath(await mkdtemp(join(await openPrivateFolder(), 'cluster-')));
  await chmod(folder, 0o755);
  await writeKeptFile({ path: pointer, text: folder, mode: 0o644 });
  options.onProgress(
    `Storing the database in ${folder}, because PostgreSQL runs as ${user.name}, ` +
      `who cannot enter ${dataDir}`,
  );
  return { folder, user };
}

export const clusterDirOf = (home: string): string => join(home, 'postgres');
