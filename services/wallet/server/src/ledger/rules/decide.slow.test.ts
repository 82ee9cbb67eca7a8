// Compares the ledger's rules with an independent, naive model over 20,000 random histories.

import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { expect, it } from 'vitest';
import { checkHistories, wanted } from '../../../test/ledger/model/check-histories.ts';
import { asBuilt } from '../../../test/ledger/model/model.ts';

const histories = 20_000;

it('decide agrees with the model in 20,000 histories, with each answer at least twice', () => {
  const seed = seedOfRun();
  const seen = checkHistories(seed, histories, asBuilt);
  const listRare = () => wanted.filter((name) => (seen.get(name) ?? 0) < 2);
  // The rarest answers occur about 6 times in 50,000 histories. If an answer occurs less than twice, up to
  // 180,000 further histories are checked.
  for (let more = 0; listRare().length > 0 && more < 9 * histories; more += 10_000) {
    checkHistories(seed + histories + more, 10_000, asBuilt, seen);
  }
  expect(listRare()).toEqual([]);
});
