// The service's clock is set forward and back under load, by hours and by days.
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const jumps = ['+1h', '+0', '-1h', '+3d', '-3d', '+400d', '+0'];

const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib', '/usr/local/lib'];

async function findLibrary(): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, 'faketime/libfaketimeMT.so.1');
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

export const clockJumps: Fault = {
  name: 'clock-jumps',
  group: 'service',
  does: "the service's clock jumps forward and back by an hour, days and a year under load",
  environment: { services: 0 },
  missing: async () => ((await findLibrary()) ? undefined : 'needs libfaketime'),
  run: async (environment) => {
    const file = join(environment.folder, 'clock');
    await writeFile(file, '+0\n');
    const service = await environment.addService({
      env: {
        LD_PRELOAD: (await findLibrary()) ?? '',
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        // With this setting, as with a real change of the clock, the calendar time changes and the monotonic
        // clock does not.
        DONT_FAKE_MONOTONIC: '1',
      },
    });
    const seen = new Set<string>();
    const verdict = await underLoad(environment, async (_testRun, load) => {
      for (const jump of jumps) {
        await writeFile(file, `${jump}\n`);
        // Waits, because libfaketime and Node each cache the time for a second.
        await sleep(2200);
        await seePasses(load, environment.size(500, 40));
        const answer = await fetch(`${service.url}/healthz`);
        seen.add((answer.headers.get('date') ?? '').slice(0, 16));
        await answer.arrayBuffer();
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'jumps', value: jumps.length, atLeast: jumps.length },
        { label: 'different days in the Date header', value: seen.size, atLeast: 4 },
      ],
    );
  },
};
