// Starts the PostgreSQL server, and tries again after a failure whose reason is temporary.
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { endLeftBehindChildren, endLeftBehindPostmaster } from './end-postmaster.ts';
import {
  type LaunchOptions,
  launchPostmaster,
  type Postmaster,
  PostmasterEndedError,
} from './launch-postmaster.ts';

const portAttempts = 5;
const waitForLeftBehindMs = deadlineMs(20_000);
const endChildrenAfterMs = 2_000;
const pauseMs = 100;

export async function startPostmaster(
  options: LaunchOptions,
  choosePort: (attempt: number) => Promise<number>,
): Promise<Postmaster> {
  const begun = Date.now();
  let portsTaken = 0;
  for (;;) {
    await endLeftBehindPostmaster(options);
    try {
      return await launchPostmaster(options, await choosePort(portsTaken));
    } catch (error) {
      if (!(error instanceof PostmasterEndedError)) throw error;
      const elapsedMs = Date.now() - begun;
      if (error.message.includes('Address already in use')) {
        portsTaken += 1;
        if (portsTaken >= portAttempts) throw error;
      } else if (isLeftBehind(error.message) && elapsedMs < waitForLeftBehindMs) {
        if (elapsedMs > endChildrenAfterMs) await endLeftBehindChildren(options.clusterDir);
        await sleep(pauseMs);
      } else throw error;
    }
  }
}

// Whether PostgreSQL reports that a process of an earlier server still writes to the folder.
function isLeftBehind(message: string): boolean {
  return (
    message.includes('pre-existing shared memory block') ||
    message.includes('lock file "postmaster.pid" already exists')
  );
}
