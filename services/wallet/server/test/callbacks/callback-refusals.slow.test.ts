// POST /api/v1/game/callback: thousands of nonsensical bodies cause no 5xx and move no money.
import { it, onTestFinished } from 'vitest';
import { createProvider } from '../environment/callbacks.ts';
import { givenWallet } from '../environment/given.ts';
import { expectNonsenseRefused } from './nonsense-callbacks.ts';

it('2,500 nonsensical bodies cause no 5xx and move no money', async () => {
  const given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' });
  onTestFinished(given.close);
  const owner = await given.package();
  const player = await given.player(owner, { balance: '10.00' });
  await expectNonsenseRefused(createProvider(given, owner), player, 2500);
});
