// Injects errors into system calls of running processes with strace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Injection {
  /** Detaches strace from the processes, which continue. */
  stop(): Promise<void>;
}

/**
 * Injects a fault. `what` is an expression of strace, such as `fdatasync:error=EIO:when=3`. strace counts the
 * calls of each process separately.
 */
export async function inject(pids: readonly number[], what: string): Promise<Injection> {
  const [call = ''] = what.split(':', 1);
  const args = ['-f', '-q', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${what}`];
  const child = spawn('strace', [...args, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  // strace prints nothing when it has attached, and exits immediately if it may not attach. So strace counts
  // as attached if it has not failed within 300 ms.
  await Promise.race([ended, sleep(300)]);
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`strace: ${said}`);
  return {
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await ended;
    },
  };
}
