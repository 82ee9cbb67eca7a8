// `npm start` loses one of its processes after the other, and comes up again with its data.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@counterfoil/kit/postgres/db';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { openEpisode } from '../scene/episode.ts';
import { type House, prepareHouse } from '../scene/house.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import type { Scene } from '../scene/scene.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

const service = 'wallet service';

/** By what their command lines say; the supervisor itself is killed last and started by hand. */
const victims: readonly [string, RegExp][] = [
  ['postmaster', /bin\/postgres -D/],
  ['a backend', /postgres: \S+ wallet .*(?:idle|INSERT|SELECT|BIND|with)/i],
  ['checkpointer', /postgres: checkpointer/],
  ['walwriter', /postgres: walwriter/],
  ['background writer', /postgres: background writer/],
  ['autovacuum launcher', /postgres: autovacuum launcher/],
  [service, /wallet\/server\/dist\/bundle\/main\.js/],
];

async function settle(scene: Scene, house: House): Promise<Scene> {
  const databaseUrl = await house.databaseUrl();
  const db = openDb({ url: databaseUrl, applicationName: 'faults', queryTimeoutMs: 120_000 });
  scene.onClose(() => db.end());
  const wallet = { url: house.walletUrl } as Scene['services'][number];
  const masterKey = await house.masterKey();
  const inside: Scene = {
    ...scene,
    ...{ db, databaseUrl: () => databaseUrl, masterKey, services: [wallet] },
    openEpisode: async (wanted) => {
      const episode = await openEpisode(inside, wanted);
      scene.onClose(() => episode.close());
      return episode;
    },
  };
  return inside;
}

async function waitForDatabase({ db }: Scene): Promise<void> {
  const takesConnections = () =>
    db.query('select 1').then(
      () => true,
      () => false,
    );
  for (const deadline = performance.now() + 60_000; !(await takesConnections()); await sleep(10)) {
    if (performance.now() > deadline) throw new Error('the database did not come back');
  }
}

export const embeddedPostgresKilled: Fault = {
  name: 'embedded-postgres-killed',
  group: 'database',
  does: 'kill -9 under npm start of postmaster, backend, checkpointer, walwriter, service and supervisor',
  scene: { services: 0 },
  run: async (scene) => {
    const house = await prepareHouse();
    scene.onClose(() => house.remove());
    await house.start();
    const inside = await settle(scene, house);
    const back: { name: string; ms: number }[] = [];
    const recoveries: number[] = [];
    const verdict = await underLoad(inside, async (episode, load) => {
      const killed = async (name: string) => {
        const startedAt = performance.now();
        await waitForDatabase(inside);
        const sinceDatabase = await measureRecovery(episode, house.walletUrl);
        if (name !== service) recoveries.push(sinceDatabase);
        back.push({ name, ms: Math.round(performance.now() - startedAt) });
        await seePasses(load, 20);
      };
      for (let turn = 0; turn < scene.size(5, 1); turn++) {
        for (const [name, part] of victims) {
          process.kill(await house.findProcess(part), 'SIGKILL');
          // The postmaster needs a moment to notice that one of its processes is gone.
          await sleep(200);
          await killed(name);
        }
        process.kill(house.pid(), 'SIGKILL');
        await house.waitForEnd();
        await house.start();
        await killed('supervisor, with a new npm start');
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'kills', value: back.length, atLeast: scene.size(5, 1) * (victims.length + 1) },
        ...victims.map(([name]) => ({
          label: `money moves after the kill of ${name}`,
          value: Math.max(...back.filter((each) => each.name === name).map(({ ms }) => ms)),
          unit: 'ms',
        })),
        ...describeRecovery('answers once the database takes connections', recoveries),
      ],
    );
  },
};
