// Lets initdb run as a user id that has no entry in /etc/passwd (docker run --user 1234).
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** PostgreSQL itself runs under any id; only initdb and single-user mode insist on a name. */
export function isUserWithoutName(output: string): boolean {
  return process.platform === 'linux' && output.includes('could not look up effective user ID');
}

/**
 * initdb asks getpwuid for a name, prints it, and needs it for nothing, since we name the
 * superuser. There is no option to skip that. So it runs from a copy whose import of getpwuid is
 * replaced by getpwent, a name of the same length that answers with the first user of the system.
 * The copy goes with the working folder; the server itself always runs from the untouched programs.
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
