// Many random histories have the same answers and rows in batches of any size as with single orders.
import { expect, it } from 'vitest';
import { checkBatches } from '../../../test/ledger/model/check-batches.ts';
import { seedOfRun } from '../../../test/ledger/model/random.ts';

it('batches of any size and single orders have the same result over 2,000 histories', () => {
  expect(checkBatches(seedOfRun(), 2000)).toBeGreaterThan(600);
});
