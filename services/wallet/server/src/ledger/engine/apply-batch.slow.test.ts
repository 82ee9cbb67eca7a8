// For many random histories, batches of any size give the same answers and rows as single orders.

import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { expect, it } from 'vitest';
import { checkBatches } from '../../../test/ledger/model/check-batches.ts';

it('batches of any size and single orders give the same answers and rows over 2,000 histories', () => {
  expect(checkBatches(seedOfRun(), 2000)).toBeGreaterThan(600);
});
