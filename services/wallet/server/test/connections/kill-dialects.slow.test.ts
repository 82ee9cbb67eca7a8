// Kills the service with kill -9 under load, 3 times in each dialect: no answered call is lost or applied
// twice.
import { afterAll, beforeAll, it } from 'vitest';
import { dialectNames } from '../../src/connections/dialects/dialect.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { startVictim, type Victim } from '../environment/service-processes.ts';
import { expectNothingLost } from './kill-dialects.ts';

let given: Given;
let victim: Victim;

beforeAll(async () => {
  given = await givenWallet();
  victim = await startVictim(given);
});

afterAll(async () => {
  await victim?.kill();
  await given?.close();
});

it.each(dialectNames)(
  'after 3 kills of the service with 16 callers in the dialect %s, every answered call is stored once',
  (dialect) =>
    expectNothingLost(
      { ...victim, given, crash: victim.kill, restart: victim.startAgain },
      { dialects: [dialect], crashes: 3, callers: 16 },
    ),
);
