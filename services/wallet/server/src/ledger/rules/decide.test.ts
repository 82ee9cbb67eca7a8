// Compares the ledger's rules with an independent, naive model over thousands of random histories.

import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { expect, it } from 'vitest';
import { checkHistories, wanted } from '../../../test/ledger/model/check-histories.ts';
import { asBuilt, strictly } from '../../../test/ledger/model/model.ts';

/**
 * Answers that occur less than once in 1,000 histories. These tests do not require them, but
 * `decide.slow.test.ts` requires each of them five times.
 */
const rare = [
  'repeated debit balance_limit',
  'repeated rollback already_rolled_back',
  'repeated win late',
  'stored rollback balance_limit',
];

it('decide agrees with the model over 1,000 random histories', () => {
  checkHistories(seedOfRun(), 1000, asBuilt);
});

it('decide agrees with the model on seed 1, whose histories have every answer except four rare ones', () => {
  const seen = checkHistories(1, 4000, asBuilt);
  expect(wanted.filter((name) => !seen.has(name) && !rare.includes(name))).toEqual([]);
});

it('decide agrees with a model that follows the contract exactly', () => {
  checkHistories(1, 1000, strictly);
});
