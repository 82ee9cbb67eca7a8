// Kills the service with kill -9 while providers play in every dialect: no answered call is lost or applied
// twice.
import { it, onTestFinished } from 'vitest';
import { dialectNames } from '../../src/connections/dialects/dialect.ts';
import { givenWallet } from '../environment/given.ts';
import { startVictim } from '../environment/service-processes.ts';
import { expectNothingLost } from './kill-dialects.ts';

it('after a kill of the service in every dialect, every answered call is stored once', async () => {
  const given = await givenWallet();
  onTestFinished(given.close);
  const victim = await startVictim(given);
  onTestFinished(victim.kill);
  const wallet = { ...victim, given, crash: victim.kill, restart: victim.startAgain };
  await expectNothingLost(wallet, { dialects: dialectNames, crashes: 1, callers: 12 });
});
