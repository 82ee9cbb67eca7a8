// Small files in a data folder, and the folders themselves. A file is always complete or absent.
import { lchown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function readKeptFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a small file. The caller must hold the lock of the folder, because two writers would use the same
 * temporary name.
 */
export async function writeKeptFile(file: { path: string; text: string; mode: number }) {
  const unfinished = `${file.path}.new`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', file.mode);
  try {
    await handle.writeFile(`${file.text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await giveToFolderOwner(unfinished);
  await rename(unfinished, file.path);
  await syncFolder(dirname(file.path));
}

/** Syncs a folder to disk. A rename of a file in the folder is durable only after this sync. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * If root created the file, makes the owner of the folder the owner of the file too. That user can then run
 * Counterfoil again without root.
 */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const folder = await stat(dirname(path));
  await lchown(path, folder.uid, folder.gid);
}

/**
 * Creates a folder and its parents. Node's recursive mkdir cannot be used: under `/proc` it never returns,
 * because each attempt fails as if the parent folder were missing. This function tries each folder at most
 * twice.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}

/** Returns the code of an error of Node or PostgreSQL, such as ENOENT or 42P04. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
