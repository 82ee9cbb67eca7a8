// A lock by which one process at a time owns a folder. The lock is a Unix socket, which closes when its
// process ends.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errorCode, giveToFolderOwner } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

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

export type FolderLock = Awaited<ReturnType<typeof lockFolder>>;

/**
 * Takes the lock. One socket with a fixed name would not work: after a crash, two starting processes can both
 * find the old socket dead, and the slower process then removes the live socket of the faster process. So
 * every process first listens under its own random name and then connects to all other sockets. Of any two
 * processes, at least one sees the other. The process whose name comes second in the alphabet gives up. The
 * process whose name comes first waits until it knows whether the other process already owns the lock. The
 * name of a dead socket is never reused, so a process can safely remove a dead socket.
 */
export async function lockFolder(lock: { folder: string; dataDir: string }) {
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

const unpublished = (name: string) => `new-${name}`;

async function publishClaim(claim: { lockDir: string; name: string; sockets: SocketFolder }) {
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
  // Between bind and listen, a socket looks dead to other processes. So the socket has a temporary name at
  // first. After listen, the socket is renamed to the name that other processes look for.
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

// A process that accepts the connection but sends nothing for 3 s counts as alive, because the process may be
// suspended or very busy.
const silenceMs = deadlineMs(3_000);

type HolderAnswer =
  | { readonly state: 'dead' | 'gave way' }
  | { readonly state: 'held'; readonly pid: number | undefined };

/**
 * Asks the process behind a socket whether it holds the lock. With `untilDecided`, waits until a starting
 * process has decided whether it holds the lock. Without `untilDecided`, a starting process counts as the
 * holder.
 */
function askHolder(ask: { path: string; untilDecided: boolean }): Promise<HolderAnswer> {
  return new Promise((resolve) => {
    const socket = connect(ask.path);
    let text = '';
    const answer = (result: HolderAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const held = () => {
      const pid = Number.parseInt(text, 10);
      answer({ state: 'held', pid: Number.isNaN(pid) ? undefined : pid });
    };
    const timer = setTimeout(held, silenceMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes(ask.untilDecided ? 'held\n' : '\n')) held();
    });
    socket.on('error', (error) => {
      const code = errorCode(error);
      if (code === 'ECONNREFUSED') answer({ state: 'dead' });
      else if (code === 'ENOENT' || code === 'ECONNRESET' || code === 'EPIPE') {
        answer({ state: 'gave way' });
      } else held();
    });
    socket.on('close', () => answer({ state: 'gave way' }));
  });
}

// The path of a socket has at most 104 bytes on macOS and 108 on Linux, including the final zero. The limit
// here is below both.
const socketPathLimit = 100;

type SocketFolder = Awaited<ReturnType<typeof openSocketFolder>>;

/**
 * Returns a path to the folder that is short enough for the path of a socket in it. If the path of the folder
 * is too long, the result is the path of a short symlink to the folder, and `close` removes the symlink. The
 * sockets themselves are always in the folder. A hashed name in the temporary folder would not work: TMPDIR
 * may differ between two starts, and any user could create the name first.
 */
async function openSocketFolder(folder: string, longestName: string) {
  if (fits(join(folder, longestName))) return { path: folder, close: async () => undefined };
  const inTemporary = join(tmpdir(), 'counterfoil-XXXXXX', 'lock', longestName);
  const shortcut = await mkdtemp(join(fits(inTemporary) ? tmpdir() : '/tmp', 'counterfoil-'));
  await symlink(folder, join(shortcut, 'lock'));
  return { path: join(shortcut, 'lock'), close: () => rm(shortcut, { recursive: true, force: true }) };
}

const fits = (path: string) => Buffer.byteLength(path) <= socketPathLimit;
