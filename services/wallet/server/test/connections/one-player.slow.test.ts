// update_balance, callbacks and two dialects at the same time on one player: no movement is lost.
import { onTestFinished, test } from 'vitest';
import { givenWallet } from '../environment/given.ts';
import { startVictim } from '../environment/service-processes.ts';
import { expectExactSum } from './one-player.ts';

/** The number of movements. A full run has 100,000: `MOVEMENTS=100000 npm run test:slow -- one-player`. */
const movements = Number(process.env.MOVEMENTS ?? 10_000);

test('the balance is the exact sum of the movements of update_balance, callbacks and dialects', async () => {
  const given = await givenWallet();
  onTestFinished(given.close);
  given.clock.now = new Date();
  const service = await startVictim(given);
  onTestFinished(service.kill);
  const figures = await expectExactSum(given, {
    origin: service.origin,
    movements,
    inFlight: 400,
    dialects: ['softswiss', 'valkyrie'],
  });
  if (process.env.MOVEMENTS) process.stderr.write(`${JSON.stringify(figures)}\n`);
});
