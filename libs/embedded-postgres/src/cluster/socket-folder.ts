// Gives a folder a name short enough for the Unix sockets in it.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// sun_path holds 104 bytes on macOS and 108 on Linux, with the closing zero.
const socketPathLimit = 100;

export interface SocketFolder {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * The sockets always lie in the folder itself, whatever it is called: when its path is too long, a
 * short symlink stands in while we bind and connect. A hashed name in the temporary folder would
 * not do: TMPDIR may differ between two starts, and anyone could sit on the name there.
 */
export async function openSocketFolder(folder: string, longestName: string): Promise<SocketFolder> {
  if (fits(join(folder, longestName))) return { path: folder, close: async () => undefined };
  const inTemporary = join(tmpdir(), 'counterfoil-XXXXXX', 'lock', longestName);
  const shortcut = await mkdtemp(join(fits(inTemporary) ? tmpdir() : '/tmp', 'counterfoil-'));
  await symlink(folder, join(shortcut, 'lock'));
  return {
    path: join(shortcut, 'lock'),
    close: () => rm(shortcut, { recursive: true, force: true }),
  };
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= socketPathLimit;
}
