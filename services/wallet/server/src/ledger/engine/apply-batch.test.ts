// For a random history, batches of any size give the same answers, rows and hashes as single orders.
import { expect, it } from 'vitest';
import { checkBatches } from '../../../test/ledger/model/check-batches.ts';
import { seedOfRun } from '../../../test/ledger/model/random.ts';

it('batches of any size and single orders give the same answers, rows and hashes', () => {
  expect(checkBatches(seedOfRun(), 400)).toBeGreaterThan(100);
});
