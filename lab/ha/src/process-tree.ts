// kill -9 of a process with all that it started: what a machine that loses its power does.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function listChildren(pid: number): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** The children are listed first: orphans would be nobody's. */
export async function endProcessTree(pid: number): Promise<void> {
  const children = await listChildren(pid);
  kill(pid);
  for (const child of children) kill(child);
}
