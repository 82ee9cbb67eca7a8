// Chooses the system user that runs PostgreSQL: the current user, or another user if the current
// user is root.
import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { runProgram } from '../binaries/run-program.ts';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const nobodyId = 65_534;

/**
 * Chooses the user. Undefined means the current user. PostgreSQL refuses to run as root, so root needs
 * another user.
 */
export async function chooseServerUser(clusterDir: string): Promise<ServerUser | undefined> {
  const ourId = process.geteuid?.();
  const ownerIds = await findOwner(clusterDir);
  if (ourId !== 0) {
    if (ownerIds !== undefined && ownerIds.uid !== ourId) {
      throw new PlainError(
        `The database in ${clusterDir} belongs to user ${ownerIds.uid}, but the current user is ` +
          `${ourId}; start it as that user or as root.`,
      );
    }
    return undefined;
  }
  // PostgreSQL must own its folder, so the owner of an existing cluster is the first choice.
  if (ownerIds !== undefined && ownerIds.uid !== 0) {
    return { ...ownerIds, name: `user ${ownerIds.uid}` };
  }
  const nobody = { uid: nobodyId, gid: nobodyId, name: `user ${nobodyId} (nobody)` };
  return (await findUser('postgres')) ?? nobody;
}

export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  // The check runs a program as this user, because mode bits do not show the effect of ACLs, mounts and
  // policies.
  const result = await runProgram({ file: '/bin/sh', args: ['-c', 'cd -- "$1"', 'sh', folder], user });
  return result.code === 0;
}

async function findOwner(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([login]) => login === name);
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  return Number.isSafeInteger(uid) && Number.isSafeInteger(gid) && uid > 0
    ? { uid, gid, name: `user ${name}` }
    : undefined;
}
