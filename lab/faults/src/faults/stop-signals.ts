// SIGSTOP for 15 s: of the service, whose callers wait, and of PostgreSQL, for which it answers 503.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../checker/check-returned.ts';
import { startLoad } from '../client/load.ts';
import type { Fault, FaultResult } from '../fault.ts';
import { toResult } from '../figures.ts';
import { measureHolding } from '../scene/holding.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { firstService, type Scene } from '../scene/scene.ts';

async function runStopped(
  scene: Scene,
  stopped: { stop(): Promise<void>; go(): Promise<void>; excuses: boolean },
): Promise<FaultResult> {
  const service = firstService(scene);
  const episode = await scene.openEpisode();
  const before = await measureHolding(scene.db, service.pid());
  const load = startLoad(episode, scene.random);
  await load.passes(300);
  const fromMs = performance.now();
  await stopped.stop();
  await sleep(scene.size(15_000, 5000));
  await stopped.go();
  // Those who asked a stopped process can have no answer; its time begins when it goes on.
  if (stopped.excuses) episode.log.excuse({ fromMs, toMs: performance.now() });
  const recovered = await measureRecovery(episode, service.url);
  await load.passes(300);
  await load.stop();
  const { turnedAway } = episode.settler.counts;
  const verdict = await episode.finish();
  const after = await measureHolding(scene.db, service.pid());
  const { violations, figures } = toResult(
    [verdict],
    [
      { label: '503 meanwhile', value: turnedAway, ...(!stopped.excuses && { atLeast: 1 }) },
      ...describeRecovery('answers after it goes on', [recovered]),
    ],
  );
  return { figures, violations: [...violations, ...checkReturned(before, after)] };
}

export const stopService: Fault = {
  name: 'stop-service',
  group: 'service',
  does: 'SIGSTOP of the service for 15 s under load, then SIGCONT',
  run: (scene) => {
    const service = firstService(scene);
    return runStopped(scene, {
      stop: async () => service.signal('SIGSTOP'),
      go: async () => service.signal('SIGCONT'),
      excuses: true,
    });
  },
};

export const stopPostgres: Fault = {
  name: 'stop-postgres',
  group: 'database',
  does: 'SIGSTOP of every process of PostgreSQL for 15 s under load, then SIGCONT',
  run: (scene) =>
    runStopped(scene, {
      stop: () => scene.postgres.signalAll('SIGSTOP'),
      go: () => scene.postgres.signalAll('SIGCONT'),
      excuses: false,
    }),
};
