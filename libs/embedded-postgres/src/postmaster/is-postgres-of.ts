// Tells whether a process is a PostgreSQL that works in a given cluster folder.
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { runProgram } from '../binaries/run-program.ts';

/** False for the dead, for zombies and for strangers, who must never get a signal from us. */
export async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') return isPostgresOnLinux(pid, clusterDir);
  const ps = await runProgram({
    file: '/bin/ps',
    args: ['-ww', '-o', 'command=', '-p', String(pid)],
    user: undefined,
  });
  return ps.code === 0 && ps.output.includes(`bin/postgres -D ${clusterDir} -c `);
}

async function isPostgresOnLinux(pid: number, clusterDir: string): Promise<boolean> {
  const [exe, cwd] = await Promise.all([
    readlink(`/proc/${pid}/exe`).catch(() => undefined),
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  if (exe !== undefined && cwd !== undefined) {
    // The programs may have been replaced by an npm install while they ran.
    return cwd === clusterDir && basename(exe.replace(/ \(deleted\)$/, '')) === 'postgres';
  }
  // Root in a container may not look into the processes of others but can read their arguments.
  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return basename(argv[0] ?? '') === 'postgres' && argv[1] === '-D' && argv[2] === clusterDir;
}
