// Measures repeats whose ids are not in the service's memory: after a restart, each stored id is sent once.
import { warmUpSeconds } from '../measurement.ts';
import type { LoadTarget, UpdateFigures } from './measure-updates.ts';
import { runUpdates } from './runs.ts';
import { startWallet } from './servers.ts';

const restarts = 2;

/** For each restart, measures the rate of new ids and then the rate of repeats in the same process. */
export async function measureColdReplay(
  target: LoadTarget,
  { uniform }: UpdateFigures,
): Promise<{ first: number[]; again: number[] }> {
  const { dataset, options } = target;
  const { seconds } = options;
  const first: number[] = [];
  const again: number[] = [];
  const replay = uniform.map((result) => result.stored);
  for (let restart = 0; restart < Math.min(restarts, options.rounds); restart++) {
    const server = await startWallet(dataset);
    try {
      await runUpdates(target, { server, seconds: warmUpSeconds(options), ledger: 'ours' });
      first.push((await runUpdates(target, { server, seconds, ledger: 'ours' })).perSecond);
      again.push((await runUpdates(target, { server, seconds, ledger: 'ours', replay })).perSecond);
    } finally {
      await server.stop();
    }
    options.say(`  restart ${restart + 1}: replay ${Math.round(again.at(-1) ?? 0)}/s`);
  }
  return { first, again };
}
