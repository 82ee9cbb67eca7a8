// Lets initdb run as a user id that has no entry in /etc/passwd (docker run --user 1234).
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether initdb failed because the user has no name. Only initdb and the single-user mode require a name;
 * the server runs under any id.
 */
export function isUserWithoutName(output: string): boolean {
  return process.platform === 'linux' && output.includes('could not look up effective user ID');
}

/**
 * Makes a copy of initdb that needs no user name. initdb calls getpwuid to find the name of the user, and no
 * option skips this call. initdb then only prints the name, because our arguments name the superuser. In the
 * copy, the import of getpwuid is replaced by getpwent, which returns the first user of the system. Both
 * function names have the same length. The copy is deleted with the working folder. The server always runs
 * from the original programs.
 */
export async function forUserWithoutName(paths: { native: string; work: string }): Promise<string> {
  const copy = join(paths.work, 'programs');
  for (const folder of [copy, join(copy, 'bin')]) {
    await mkdir(folder);
    await chmod(folder, 0o755);
  }
  await symlink(join(paths.native, 'lib'), join(copy, 'lib'));
  await symlink(join(paths.native, 'share'), join(copy, 'share'));
  for (const name of ['initdb', 'postgres']) {
    const program = await readFile(join(paths.native, 'bin', name));
    const at = program.indexOf('\0getpwuid\0', 0, 'latin1');
    if (at >= 0) program.write('getpwent', at + 1, 'latin1');
    await writeFile(join(copy, 'bin', name), program);
    await chmod(join(copy, 'bin', name), 0o755);
  }
  return copy;
}
