// Starts the PostgreSQL of the npm package on a data folder that only this process uses.
import { access, constants, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, readKeptFile, writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { findPackageDir, prepareBinaries } from './binaries/binaries.ts';
import { openPrivateFolder } from './binaries/private-folder.ts';
import { openClusterHome } from './cluster/cluster-home.ts';
import { superuser } from './cluster/create-cluster.ts';
import { ensureDatabase } from './cluster/ensure-database.ts';
import { openCluster } from './cluster/open-cluster.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import type { Postmaster } from './postmaster/launch-postmaster.ts';
import { choosePort, parsePort } from './postmaster/port.ts';
import { startPostmaster } from './postmaster/start-postmaster.ts';

export { DataDirInUseError } from './folder-lock.ts';

export interface EmbeddedPostgres {
  readonly url: (database: string) => string;
  readonly port: number;
  readonly pid: number;
  ensureDatabase(name: string): Promise<void>;
  /** Calls the listener when PostgreSQL ends although `stop` was not called. */
  onExit(listener: (code: number | null) => void): void;
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** The data folder. It is created if it does not exist. */
  readonly dataDir: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly onProgress?: (message: string) => void;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, onProgress = () => undefined } = options;
  const dataDir = await openDataDir(options.dataDir);
  const locks = [await lockFolder({ folder: dataDir, dataDir })];
  try {
    const home = await openClusterHome({ dataDir, onProgress });
    // If the cluster is outside the data folder, a copy of the data folder refers to the same cluster. So the
    // folder of the cluster is locked too.
    if (home.folder !== dataDir) locks.push(await lockFolder({ folder: home.folder, dataDir }));
    const native = await prepareBinaries({
      packageDir: findPackageDir(),
      user: home.user,
      openCopyFolder: home.user ? openPrivateFolder : async () => home.folder,
      onProgress,
    });
    const { clusterDir, password } = await openCluster({ dataDir, home, native, onProgress });
    onProgress('Starting PostgreSQL');
    const postmaster = await startPostmaster(
      { native, dataDir, clusterDir, user: home.user, settings, onProgress },
      (attempt) => openPort({ dataDir, preferKept: attempt === 0 }),
    );
    return asEmbeddedPostgres({ postmaster, password, locks });
  } catch (error) {
    await release(locks);
    throw error;
  }
}

async function openDataDir(path: string): Promise<string> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`The data folder ${path} cannot be used: ${reason}`, { cause: error });
  }
}

/**
 * Chooses the port and stores it. A restart uses the stored port, so that database URLs stay valid. If
 * another program has taken the stored port, a new port is chosen.
 */
async function openPort(options: { dataDir: string; preferKept: boolean }): Promise<number> {
  const path = join(options.dataDir, 'postgres-port');
  const kept = parsePort(await readKeptFile(path));
  const port = await choosePort(options.preferKept ? kept : undefined);
  if (port !== kept) await writeKeptFile({ path, text: String(port), mode: 0o644 });
  return port;
}

function asEmbeddedPostgres(parts: {
  postmaster: Postmaster;
  password: string;
  locks: readonly FolderLock[];
}): EmbeddedPostgres {
  const { postmaster, password, locks } = parts;
  const url = (database: string) =>
    `postgresql://${superuser}:${password}@127.0.0.1:${postmaster.port}/${encodeURIComponent(database)}`;
  let stopping: Promise<void> | undefined;
  return {
    url,
    port: postmaster.port,
    pid: postmaster.pid,
    ensureDatabase: (name) => ensureDatabase({ url: url('postgres'), name }),
    onExit(listener) {
      void postmaster.ended.then((code) => {
        if (stopping === undefined) listener(code);
      });
    },
    stop() {
      stopping ??= postmaster.stop().finally(() => release(locks));
      return stopping;
    },
  };
}

async function release(locks: readonly FolderLock[]): Promise<void> {
  for (const lock of locks) await lock.release();
}
