// A small file system in memory that can be filled completely and freed again.
import { execFile } from 'node:child_process';
import { chmod, mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  readonly folder: string;
  /** Fills all free space and returns the MiB written. */
  fill(): Promise<number>;
  free(): Promise<void>;
  /** Unmounts the file system and deletes its contents. */
  remove(): Promise<void>;
}

/** Mounting requires root. */
export async function mountSmallDisk(folder: string, sizeMiB: number): Promise<SmallDisk> {
  await mkdir(folder);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder]);
  await chmod(folder, 0o755);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      const file = await open(filler, 'a');
      const piece = Buffer.alloc(1024 * 1024);
      let written = 0;
      try {
        for (;;) {
          const { bfree, bsize } = await statfs(folder);
          const room = Math.min(piece.length, bfree * bsize);
          if (room === 0) break;
          written += (await file.write(piece, 0, room)).bytesWritten;
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
      return Math.round(written / piece.length);
    },
    free: () => rm(filler, { force: true }),
    remove: async () => {
      await run('umount', ['-l', folder]);
    },
  };
}
