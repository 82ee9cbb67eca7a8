// Ends what a killed Counterfoil left running on its cluster, so that a new start can have it.
import { readdir } from 'node:fs/promises';
import { endPostmaster, signalProcess } from './end-postmaster.ts';
import { isPostgresOf } from './is-postgres-of.ts';
import { disownPostmasterFile, findPostmasterFile } from './postmaster-file.ts';

/** Only the holder of the folder's lock may call this: what it finds then has no living owner. */
export async function endLeftBehindPostmaster(options: {
  clusterDir: string;
  onProgress: (message: string) => void;
}): Promise<void> {
  const { clusterDir } = options;
  const file = await findPostmasterFile(clusterDir);
  if (file !== undefined && (await isPostgresOf(file.pid, clusterDir))) {
    const { pid } = file;
    options.onProgress(`Stopping a PostgreSQL that was left behind (process ${pid})`);
    await endPostmaster({ pid, hasEnded: async () => !(await isPostgresOf(pid, clusterDir)) });
  }
  await disownPostmasterFile(clusterDir);
}

/**
 * When the postmaster itself was killed, its children end as soon as they look up from their work,
 * which a long computation may delay for ever. Linux only: elsewhere we can but wait.
 */
export async function endLeftBehindChildren(clusterDir: string): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await isPostgresOf(pid, clusterDir))) {
      signalProcess(pid, 'SIGQUIT');
    }
  }
}
