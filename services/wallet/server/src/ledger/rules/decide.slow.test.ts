// Compares the ledger's rules with an independent, naive model over 50,000 random histories.
import { expect, it } from 'vitest';
import { checkHistories, wanted } from '../../../test/ledger/model/check-histories.ts';
import { asBuilt } from '../../../test/ledger/model/model.ts';
import { seedOfRun } from '../../../test/ledger/model/random.ts';

const histories = 50_000;

it('decide agrees with the model in 50,000 histories, with each answer at least 5 times', () => {
  const seed = seedOfRun();
  const seen = checkHistories(seed, histories, asBuilt);
  const listRare = () => wanted.filter((name) => (seen.get(name) ?? 0) < 5);
  // The rarest answers occur about 6 times in 50,000 histories. If an answer occurs fewer than 5 times, up to
  // 150,000 further histories are checked.
  for (let more = 0; listRare().length > 0 && more < 3 * histories; more += 10_000) {
    checkHistories(seed + histories + more, 10_000, asBuilt, seen);
  }
  expect(listRare()).toEqual([]);
});
