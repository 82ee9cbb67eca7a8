// For a random history, batches of any size give the same answers, rows and hashes as single orders.

import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { expect, it } from 'vitest';
import { checkBatches } from '../../../test/ledger/model/check-batches.ts';

it('batches of any size and single orders give the same answers, rows and hashes', () => {
  expect(checkBatches(seedOfRun(), 400)).toBeGreaterThan(100);
});
