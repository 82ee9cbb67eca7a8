// Lets one process at a time own a folder, through a Unix socket that dies with its process.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { giveToFolderOwner } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { askHolder } from './ask-holder.ts';
import { openSocketFolder, type SocketFolder } from './cluster/socket-folder.ts';

export class DataDirInUseError extends PlainError {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string, pid: number | undefined) {
    const holder = pid === undefined ? '' : ` (process ${pid})`;
    super(
      `The data folder ${dataDir} is in use by another Counterfoil${holder}; ` +
        'stop that one first or set DATA_DIR to another folder.',
    );
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * One well-known socket would not do: after a crash two starters can both find it dead, and the
 * slower one then unlinks the live socket of the faster. So every starter listens under a random
 * name of its own first and looks at the others afterwards: of any two, at least one sees the
 * other. The one whose name sorts later gives way; the earlier one waits until it knows whether the
 * later one had already become the owner. A dead socket's name is never used again, so removing it
 * is safe.
 */
export async function lockFolder(lock: { folder: string; dataDir: string }): Promise<FolderLock> {
  const lockDir = join(lock.folder, 'lock');
  if ((await mkdir(lockDir, { recursive: true, mode: 0o700 })) !== undefined) {
    await giveToFolderOwner(lockDir);
  }
  const name = randomBytes(8).toString('hex');
  const sockets = await openSocketFolder(lockDir, unpublished(name));
  try {
    const claim = await publishClaim({ lockDir, name, sockets });
    try {
      await refuseIfHeld({ lockDir, name, sockets, dataDir: lock.dataDir });
    } catch (error) {
      await claim.release();
      throw error;
    }
    claim.confirm();
    return claim;
  } finally {
    await sockets.close();
  }
}

async function refuseIfHeld(claim: {
  lockDir: string;
  name: string;
  sockets: SocketFolder;
  dataDir: string;
}): Promise<void> {
  for (const other of await readdir(claim.lockDir)) {
    if (other === claim.name || !/^[0-9a-f]{16}$/.test(other)) continue;
    const path = join(claim.sockets.path, other);
    const answer = await askHolder({ path, untilDecided: claim.name < other });
    if (answer.state === 'held') throw new DataDirInUseError(claim.dataDir, answer.pid);
    if (answer.state === 'dead') await rm(join(claim.lockDir, other), { force: true });
  }
}

function unpublished(name: string): string {
  return `new-${name}`;
}

interface Claim extends FolderLock {
  confirm(): void;
}

async function publishClaim(claim: {
  lockDir: string;
  name: string;
  sockets: SocketFolder;
}): Promise<Claim> {
  const undecided = new Set<Socket>();
  let confirmed = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => undecided.delete(socket));
    socket.unref();
    socket.resume();
    socket.write(`${process.pid}\n`);
    if (confirmed) socket.end('held\n');
    else undecided.add(socket);
  });
  // Between bind and listen a socket looks dead, so it gets its visible name only when it listens.
  await listen(server, join(claim.sockets.path, unpublished(claim.name)));
  await giveToFolderOwner(join(claim.lockDir, unpublished(claim.name)));
  await rename(join(claim.lockDir, unpublished(claim.name)), join(claim.lockDir, claim.name));
  server.unref();
  return {
    confirm() {
      confirmed = true;
      for (const socket of undecided) socket.end('held\n');
    },
    async release() {
      await rm(join(claim.lockDir, claim.name), { force: true });
      for (const socket of undecided) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}
