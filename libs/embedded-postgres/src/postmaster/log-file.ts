// Rotates PostgreSQL's log in the data folder, and reads its end for error messages.
import { constants, type FileHandle, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToFolderOwner } from '@counterfoil/kit/process/files';

const rotateAboveBytes = 10 * 1024 * 1024;
const tailBytes = 16 * 1024;
const tailLines = 20;

export async function openLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log');
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > rotateAboveBytes) await rename(path, `${path}.1`);
  // O_NOFOLLOW refuses to open a symlink. The folder may belong to another user than root. That user could
  // replace the log by a symlink, and root would then write to the target of the symlink.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  await giveToFolderOwner(path);
  const { size: start } = await handle.stat();
  return {
    path,
    fd: handle.fd,
    /** Reads the last lines that were written since the log was opened. */
    readTail: () => readTail(handle, start),
    close: () => handle.close(),
  };
}

async function readTail(handle: FileHandle, start: number): Promise<string> {
  const { size } = await handle.stat();
  const from = Math.max(start, size - tailBytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
  const text = buffer.toString('utf8', 0, bytesRead).trim();
  return text.split('\n').slice(-tailLines).join('\n');
}
