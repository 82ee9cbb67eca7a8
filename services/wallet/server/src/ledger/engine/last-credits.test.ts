// The credit of each package's last batch is available for 5 seconds and for a limited number of packages.
import { expect, it } from 'vitest';
import { createLastCredits } from './last-credits.ts';

it('the last credit of a package is found for 5 seconds, unless it is invalidated', () => {
  let now = 0;
  const credits = createLastCredits({ now: () => now });
  expect(credits.find(1)).toBeUndefined();
  credits.store(1, 10n);
  credits.store(1, 9n);
  credits.store(2, 0n);
  now = 5000;
  expect([credits.find(1), credits.find(2)]).toEqual([9n, 0n]);
  now = 5001;
  expect([credits.find(1), credits.find(2)]).toEqual([undefined, undefined]);
  credits.store(1, 8n);
  expect([credits.find(1), credits.find(2)]).toEqual([8n, undefined]);
  credits.invalidate(1);
  expect(credits.find(1)).toBeUndefined();
});

it('if the cache is full, storing the credit of one more package removes all other credits', () => {
  const credits = createLastCredits({ maxPackages: 2, now: () => 0 });
  for (const packageId of [1, 2, 1]) credits.store(packageId, BigInt(packageId));
  expect([1, 2].map((packageId) => credits.find(packageId))).toEqual([1n, 2n]);
  credits.store(3, 3n);
  expect([1, 2, 3].map((packageId) => credits.find(packageId))).toEqual([undefined, undefined, 3n]);
});
