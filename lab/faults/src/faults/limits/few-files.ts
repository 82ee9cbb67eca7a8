// The service may open only a few files, and more callers connect than the service can accept.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { needs } from '../../environment/machine.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

/**
 * The number of files that the service may open in addition to the files that it has open when it is ready.
 */
const spareFiles = 60;
const idlers = 400;
const holdMs = 4000;

/** Opens connections that send nothing. */
function connectIdlers(port: number): Socket[] {
  return Array.from({ length: idlers }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  });
}

/** Sets the limit after the start, because loading the service needs more open files than serving. */
async function limitFiles(pid: number): Promise<number> {
  const limit = (await readdir(`/proc/${pid}/fd`)).length + spareFiles;
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${limit}`]);
  return limit;
}

export const fewFiles: Fault = {
  name: 'few-files',
  group: 'limits',
  does: 'the service may open 60 more files, and 400 idle callers connect on top of the load',
  environment: { services: 0 },
  missing: needs({ programs: ['prlimit'], linux: true }),
  run: async (environment) => {
    const service = await environment.addService();
    const limit = await limitFiles(service.pid());
    const recoveries: number[] = [];
    const verdict = await underLoad(
      environment,
      async (testRun, load) => {
        for (let i = 0; i < environment.size(10, 1); i++) {
          const idle = connectIdlers(service.port);
          // These seconds do not count towards the deadline of an answer: the service cannot accept
          // connections, so new connections wait in the kernel.
          const fromMs = performance.now();
          await sleep(holdMs);
          for (const socket of idle) socket.destroy();
          testRun.log.excuse({ fromMs, toMs: performance.now() });
          recoveries.push(await measureRecovery(testRun, service.url));
          await seePasses(load, 50);
        }
      },
      { load: { callers: 24 } },
    );
    return toResult(
      [verdict],
      [
        { label: 'limit of open files', value: limit },
        { label: 'running processes', value: service.isRunning() ? 1 : 0, atLeast: 1 },
        ...describeRecovery('after the idle callers have left', recoveries),
      ],
    );
  },
};
