// The database is lost with its disk: backup and archive bring it back, and callers the rest.
import { checkBooks } from '../checker/check-books.ts';
import type { Verdict } from '../checker/check-episode.ts';
import { checkNothingUnsent } from '../checker/check-nothing-unsent.ts';
import { readFacts } from '../checker/facts.ts';
import { fits, groupRows } from '../checker/match.ts';
import { type Violation, violation } from '../checker/violation.ts';
import { type Call, readHistory } from '../client/client-log.ts';
import { startLoad } from '../client/load.ts';
import { keyOf, type Order } from '../client/order.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import type { Random } from '../random.ts';
import { startArchive } from '../scene/archive.ts';
import type { Episode } from '../scene/episode.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import type { Scene } from '../scene/scene.ts';
import { seePasses } from '../scene/under-load.ts';

const fundsMinor = 10_000_000_00n;

/** Movements that go through in whatever order they are sent again. */
function makeStory(episode: Episode, random: Random, n: number): Order[] {
  const kind = random.below(3) === 0 ? 'debit' : 'credit';
  const player = random.pick(episode.players);
  const amountMinor = BigInt(random.between(1, 2000));
  return [{ packageId: episode.id, kind, player, id: `m${n}`, amountMinor }];
}

async function move(scene: Scene, passes: number, given?: Episode): Promise<Episode> {
  const episode = given ?? (await scene.openEpisode({ fundsMinor }));
  const load = startLoad(episode, scene.random, { makeStory, callers: 24 });
  await seePasses(load, passes);
  await load.stop();
  return episode;
}

const isAcknowledged = ({ attempts }: Call) =>
  attempts.some(({ answer }) => answer?.outcome.kind === 'acknowledged');

/** Every id that the callers hold, as they would send them from their own books. */
async function repeatAll(scene: Scene, episode: Episode): Promise<{ anew: number }> {
  const { calls } = await readHistory(episode.log.path);
  const url = scene.services[0]?.url ?? '';
  let anew = 0;
  for (const { order } of calls.filter(isAcknowledged)) {
    if (order.kind === 'top_up') continue;
    const { outcome } = await episode.client.send(url, order);
    if (outcome.kind === 'acknowledged' && !outcome.duplicate) anew++;
  }
  return { anew };
}

/** Balances were told in another order before, so amounts and books are what must agree. */
async function checkRepeated(scene: Scene, episode: Episode): Promise<Violation[]> {
  const { calls } = await readHistory(episode.log.path);
  const facts = await readFacts(scene.db, episode.id);
  const rows = groupRows(facts);
  const lost = calls.filter(isAcknowledged).filter(({ order }) => {
    const found = rows.get(keyOf(order)) ?? [];
    return found.length !== 1 || !found.some((row) => fits(facts, row, order));
  });
  return [
    ...lost.map(({ order }) => violation('I1', `${keyOf(order)} is not there once`)),
    ...checkNothingUnsent(calls, facts),
    ...checkBooks(facts),
  ].slice(0, 20);
}

export const backupRestore: Fault = {
  name: 'backup-restore',
  group: 'database',
  does: 'the data folder is wiped; base backup and archived log restore it; callers repeat their ids',
  scene: { settings: { archive_mode: 'on' } },
  run: async (scene) => {
    const passes = scene.size(5000, 150);
    const [service] = scene.services;
    const archive = await startArchive(scene);
    const before = await move(scene, passes);
    const backup = await archive.backUp();
    const archived = await move(scene, passes);
    const lost = await scene.openEpisode({ fundsMinor });
    await archive.catchUp();
    await move(scene, passes, lost);
    await service?.end('SIGTERM');
    await scene.postgres.crash('kill-all');
    await archive.restore(backup);
    await scene.postgres.restart();
    await service?.start();
    const recoveries = [await measureRecovery(before, service?.url ?? '')];
    const verdicts: Verdict[] = [await before.finish(), await archived.finish()];
    const { anew } = await repeatAll(scene, lost);
    const result = toResult(verdicts, [
      { label: 'sent after the last archived file, and sent again', value: anew, atLeast: 1 },
      ...describeRecovery('answers once the database is restored', recoveries),
    ]);
    const violations = [...result.violations, ...(await checkRepeated(scene, lost))];
    return { ...result, violations };
  },
};
