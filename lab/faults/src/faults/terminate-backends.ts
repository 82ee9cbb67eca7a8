// Backends of the service terminated by the server, one after the other, under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../checker/check-returned.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { measureHolding } from '../scene/holding.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { firstService } from '../scene/scene.ts';

export const terminateBackends: Fault = {
  name: 'terminate-backends',
  group: 'database',
  does: 'pg_terminate_backend of 200 sessions of the service, one after the other, under load',
  run: async (scene) => {
    const wanted = scene.size(200, 20);
    const service = firstService(scene);
    const episode = await scene.openEpisode();
    const before = await measureHolding(scene.db, service.pid());
    const load = startLoad(episode, scene.random);
    const recoveries: number[] = [];
    let terminated = 0;
    while (terminated < wanted) {
      await sleep(scene.random.below(60));
      // Rather one that is at work: an idle one is lost without anyone waiting for it.
      const { rowCount } = await scene.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'counterfoil %' and datname = current_database()
         order by state = 'active' desc, random() limit 1`,
      );
      terminated += rowCount ?? 0;
      if (terminated % 10 === 0) recoveries.push(await measureRecovery(episode, service.url));
    }
    await load.stop();
    const verdict = await episode.finish();
    const after = await measureHolding(scene.db, service.pid());
    const { violations, figures } = toResult(
      [verdict],
      [
        { label: 'backends terminated', value: terminated, atLeast: wanted },
        ...describeRecovery('answers after a loss', recoveries),
      ],
    );
    return { figures, violations: [...violations, ...checkReturned(before, after)] };
  },
};
