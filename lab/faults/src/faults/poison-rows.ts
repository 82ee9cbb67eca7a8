// Rows that the database refuses stand among good ones in the same batch: only they fail.
import { join } from 'node:path';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';
import { createClient } from '../client/client.ts';
import { openClientLog } from '../client/client-log.ts';
import type { Order } from '../client/order.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { type Episode, presentHeaders } from '../scene/episode.ts';
import type { Scene } from '../scene/scene.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

/** Rules that the service knows nothing of, so that the write itself is what fails. */
const listPoisons = (account: bigint) => [
  `alter table journal add constraint poison check (transaction_id not like 'poison-%') not valid`,
  `alter table journal add constraint poison check (amount <> 66613) not valid`,
  `alter table accounts add constraint poison check (id <> ${account} or balance = 0) not valid`,
];

const cure = (table: string) => `alter table ${table} drop constraint poison`;

/** A log of its own: that these are refused with a 500 is what is promised of them. */
async function sendPoison(scene: Scene, episode: Episode, count: number): Promise<string[]> {
  const log = openClientLog(join(scene.folder, `poison-${episode.id}-${performance.now()}`));
  const client = createClient({ log, headers: presentHeaders(episode) });
  const url = scene.services[0]?.url ?? '';
  const codes: string[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const order: Order = {
        ...{ packageId: episode.id, kind: 'credit', player: 'poisoned' },
        ...{ id: `poison-${i}`, amountMinor: 66_613n },
      };
      const { outcome } = await client.send(url, order);
      codes.push(outcome.kind === 'turned_away' ? outcome.code : outcome.kind);
    }
  } finally {
    client.close();
    log.close();
  }
  return codes;
}

async function addPoisonedPlayer(scene: Scene, episode: Episode): Promise<bigint> {
  const wanted = { packageId: episode.id, playerId: 'poisoned' };
  const { player } = await createPlayer(scene.db, wanted, new Date());
  return player.accountId;
}

export const poisonRows: Fault = {
  name: 'poison-rows',
  group: 'database',
  does: 'the database refuses single rows of a batch by constraints that the service does not know',
  run: async (scene) => {
    const each = scene.size(200, 10);
    const codes: string[] = [];
    let meanwhile = 0;
    const verdict = await underLoad(scene, async (episode, load) => {
      const account = await addPoisonedPlayer(scene, episode);
      const { counts } = episode.settler;
      for (const poison of listPoisons(account)) {
        await scene.db.query(poison);
        const before = counts.acknowledged;
        codes.push(...(await sendPoison(scene, episode, each)));
        await seePasses(load, 20);
        meanwhile += counts.acknowledged - before;
        await scene.db.query(cure(/alter table (\w+)/.exec(poison)?.[1] ?? ''));
      }
    });
    const refused = codes.filter((code) => code === 'internal_error').length;
    return toResult(
      [verdict],
      [
        { label: 'poisoned rows refused alone', value: refused, atLeast: codes.length },
        { label: 'neighbours acknowledged meanwhile', value: meanwhile, atLeast: 60 },
      ],
    );
  },
};
