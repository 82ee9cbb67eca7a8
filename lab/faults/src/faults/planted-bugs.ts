// The checker proves itself: a small wallet with one bug at a time, each of which must be caught.
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../checker/check-episode.ts';
import type { Invariant } from '../checker/violation.ts';
import { startLoad } from '../client/load.ts';
import type { Order } from '../client/order.ts';
import type { Fault, FaultResult } from '../fault.ts';
import type { Episode } from '../scene/episode.ts';
import type { Scene } from '../scene/scene.ts';

const naiveWallet = fileURLToPath(new URL('../planted/naive-wallet.js', import.meta.url));
const copies = 6;

/** Few players, many at once, each order several times: what a bug needs to show itself. */
async function storm(scene: Scene, episode: Episode, orders: number): Promise<void> {
  let next = 0;
  const stormer = async () => {
    for (let n = next++; n < orders; n = next++) {
      const order: Order = {
        ...{ packageId: episode.id, player: scene.random.pick(episode.players), id: `p${n}` },
        kind: scene.random.pick(['credit', 'debit']),
        amountMinor: BigInt(scene.random.between(1, 5000)),
      };
      await Promise.all(Array.from({ length: copies }, () => episode.settler.settle(order)));
      await episode.settler.readBalance(order);
    }
  };
  await Promise.all(Array.from({ length: 8 }, stormer));
}

function toCaught({ violations }: Verdict, wanted: Invariant): FaultResult {
  const caught = violations.filter(({ invariant }) => invariant === wanted).length;
  return {
    violations: [],
    figures: [
      { label: `breaches of ${wanted} caught`, value: caught, atLeast: 1 },
      { label: 'breaches in all', value: violations.length },
    ],
  };
}

function plant(bug: string, wanted: Invariant, does: string, alter?: string): Fault {
  return {
    name: `planted-${bug}`,
    group: 'planted',
    does,
    scene: { service: { program: naiveWallet, env: { PLANTED: bug } } },
    run: async (scene) => {
      if (alter !== undefined) await scene.db.query(alter);
      const episode = await scene.openEpisode({ players: 4, provesChain: false });
      await storm(scene, episode, scene.size(600, 80));
      return toCaught(await episode.finish(), wanted);
    },
  };
}

const control: Fault = {
  name: 'planted-nothing',
  group: 'planted',
  does: 'the same small wallet without a bug, at which the checker must find nothing',
  scene: { service: { program: naiveWallet, env: { PLANTED: 'nothing' } } },
  run: async (scene) => {
    const episode = await scene.openEpisode({ players: 4, provesChain: false });
    await storm(scene, episode, scene.size(600, 80));
    const { violations, tally } = await episode.finish();
    return {
      violations,
      figures: [{ label: 'movements', value: tally.acknowledged, atLeast: 40 }],
    };
  },
};

const asynchronousCommit: Fault = {
  name: 'planted-asynchronous-commit',
  group: 'planted',
  does: 'the real service on synchronous_commit=off, and PostgreSQL killed with kill -9',
  scene: {
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '1GB' },
    // In production the service refuses such a server.
    service: { env: { NODE_ENV: 'development' } },
  },
  run: async (scene) => {
    const episode = await scene.openEpisode();
    // The package itself is safe on disk; what it acknowledges from now on is not.
    await scene.db.query('checkpoint');
    const load = startLoad(episode, scene.random);
    for (let i = 0; i < scene.size(5, 2); i++) {
      await load.passes(400);
      await scene.postgres.crash('kill-all');
      await scene.postgres.restart();
    }
    await load.stop();
    return toCaught(await episode.finish(), 'I1');
  },
};

export const plantedBugs: readonly Fault[] = [
  control,
  asynchronousCommit,
  plant('race', 'I5', 'a balance that is read before the lock is held, and written after'),
  plant(
    'no-unique-key',
    'I1',
    'ids that are looked up before the lock, with no unique key behind it',
    'alter table journal drop constraint journal_package_id_id_hash_key',
  ),
  plant('float', 'I1', 'amounts reckoned as floating-point numbers'),
  plant('wrong-way', 'I2', 'debits that give instead of taking, in books that add up'),
  plant('mean', 'I8', 'debits that are refused for want of funds that are there'),
  plant('failing-reads', 'A', 'every third read of a balance is answered with a 500'),
];
