// Makes a folder and those above it, where Node's own way would try for ever in some places.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Under `/proc` a new folder is refused as if the one above it were missing, and Node's recursive
 * mkdir then makes that one again and again. Here each is tried twice at most.
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
