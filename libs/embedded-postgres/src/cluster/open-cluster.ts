// Opens the database cluster in a data folder. The first start creates the cluster and its password.
import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeptFile, writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { type ClusterHome, clusterDirOf } from './cluster-home.ts';
import { createCluster, isCluster } from './create-cluster.ts';

const passwordBytes = 24;

export async function openCluster(options: {
  dataDir: string;
  home: ClusterHome;
  native: string;
  onProgress: (message: string) => void;
}): Promise<{ clusterDir: string; password: string }> {
  const { dataDir, home, native } = options;
  const clusterDir = clusterDirOf(home.folder);
  const passwordFile = join(dataDir, 'postgres-password');
  const kept = await readKeptFile(passwordFile);
  if (isCluster(clusterDir)) {
    if (!kept) throw new PlainError(`The password of the database is missing: ${passwordFile}`);
    // The real path is returned, because a server that was left running is found by the real path of its
    // folder.
    return { clusterDir: await realpath(clusterDir), password: kept };
  }
  options.onProgress('Creating the database cluster');
  const password = kept || randomBytes(passwordBytes).toString('base64url');
  // The password is stored before the cluster is created, so that a kill never leaves a cluster without a
  // known password.
  if (!kept) await writeKeptFile({ path: passwordFile, text: password, mode: 0o600 });
  await createCluster({ native, home: home.folder, clusterDir, user: home.user, password });
  return { clusterDir, password };
}
