// update_balance, callbacks and all dialects at the same time on one player: no movement is lost.
import { afterAll, beforeAll, it } from 'vitest';
import { dialectNames } from '../../src/connections/dialects/dialect.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { expectExactSum } from './one-player.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
  given.clock.now = new Date();
});

afterAll(() => given.close());

it('the balance is the exact sum of 360 movements of update_balance, callbacks and dialects', async () => {
  const origin = await given.app.listen({ host: '127.0.0.1', port: 0 });
  await expectExactSum(given, { origin, movements: 360, inFlight: 60, dialects: dialectNames });
});
