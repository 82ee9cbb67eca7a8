// A history has the same answers, rows and hashes in batches of any size as with single orders.
import { expect, it } from 'vitest';
import { checkBatches } from '../../../test/ledger/model/check-batches.ts';
import { seedOfRun } from '../../../test/ledger/model/random.ts';

it('batches of any size and single orders have the same result', () => {
  expect(checkBatches(seedOfRun(), 400)).toBeGreaterThan(100);
});
