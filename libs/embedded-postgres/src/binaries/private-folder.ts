// Finds a folder outside the project in which root can store files that another user can read.
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { PlainError } from '@counterfoil/kit/process/plain-error';

// /var/tmp is the last choice, because the system may delete files there that were not used for weeks.
const candidates = ['/var/lib/counterfoil', '/var/tmp/counterfoil-root'];

export async function openPrivateFolder(): Promise<string> {
  const problems: string[] = [];
  for (const folder of candidates) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      if (await isOurs(folder)) {
        // Under a strict umask, mkdir does not set all mode bits that the user of PostgreSQL needs. chmod
        // sets them.
        await chmod(folder, 0o755);
        return folder;
      }
      problems.push(`${folder} belongs to another user or is writable by others`);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new PlainError(
    `PostgreSQL does not run as root and no folder was found where another user could run it: ` +
      `${problems.join('; ')}. Use another DATA_DIR or start as an ordinary user.`,
  );
}

/**
 * Whether the current user owns the folder and no other user can write to it. Any user can create a folder in
 * a shared folder such as /var/tmp, so folders of other users are not trusted.
 */
export async function isOurs(folder: string): Promise<boolean> {
  const entry = await lstat(folder);
  return entry.isDirectory() && entry.uid === process.geteuid?.() && (entry.mode & 0o022) === 0;
}
