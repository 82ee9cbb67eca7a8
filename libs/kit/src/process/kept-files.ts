// Reads and writes the small files that a data folder keeps: each is whole or absent, never half.
import { lchown, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

export async function readKeptFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Only for the holder of the folder's lock: two writers would share one temporary name. */
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

// A rename is on disk only once its folder is.
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Someone who ran Counterfoil as root once must still be able to run it as themselves. */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const folder = await stat(dirname(path));
  await lchown(path, folder.uid, folder.gid);
}
