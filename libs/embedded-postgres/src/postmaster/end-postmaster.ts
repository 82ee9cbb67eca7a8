// Ends a PostgreSQL server, first politely and then less so.
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errorCode } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

const pollMs = 10;

// SIGINT is PostgreSQL's fast shutdown (clients are cut off, everything is written), SIGQUIT its
// immediate one (recovery at the next start).
const steps = [
  { signal: 'SIGINT', waitMs: deadlineMs(20_000) },
  { signal: 'SIGQUIT', waitMs: deadlineMs(10_000) },
  { signal: 'SIGKILL', waitMs: deadlineMs(5_000) },
] as const;

export async function endPostmaster(options: {
  pid: number;
  hasEnded: () => boolean | Promise<boolean>;
}): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (await options.hasEnded()) return;
    signalProcess(options.pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (await options.hasEnded()) return;
      await sleep(pollMs);
    }
  }
  throw new PlainError(`PostgreSQL (process ${options.pid}) does not end, not even when killed.`);
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
