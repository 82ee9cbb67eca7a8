// A batch whose decisions contradict the journal, each other or the orders is not written.
import { expect, it } from 'vitest';
import { ann, transferOf } from '../../../test/environment/command-line.ts';
import { makeGenesisHash } from '../rules/chain.ts';
import { applyBatch } from './apply-batch.ts';
import { assertDecided } from './assert-decided.ts';
import { createLedgerCache } from './cache.ts';
import { createLoaded } from './load-batch.ts';

const cache = createLedgerCache({ maxAccounts: 100, maxMovements: 4, maxGames: 4 });
const funded = { balance: 100n, lastSequence: 4n };
for (const packageId of [7, 8]) {
  const accounts = new Map([1n, 2n, 3n, ann].map((id) => [id, funded]));
  cache.storeHead({ packageId, sequence: 4n, hash: makeGenesisHash(packageId), accounts });
}
const orders = [7, 8, 7].map((packageId, i) => ({
  packageId,
  overdraftLimit: 0n,
  command: transferOf('credit', { id: `${i}`, amount: 1n }),
}));
type Decided = Pick<ReturnType<typeof applyBatch>, 'effects' | 'receipts'>;
const decided: Decided = applyBatch(cache, orders, createLoaded(false), 1);
const [first, second] = decided.effects as [Decided['effects'][number], Decided['effects'][number]];

it('assertDecided accepts a batch as applyBatch has decided it', () => {
  expect(() => assertDecided(cache, orders, decided)).not.toThrow();
});

it.each<[string, Partial<Decided>, RegExp]>([
  ['a missing receipt', { receipts: decided.receipts.slice(1) }, /no receipt/],
  ['packages out of order', { effects: [second, first] }, /order of packages/],
  ['a gap after the head', { effects: [{ ...first, expectedSequence: 3n }] }, /gap/],
  ['rows out of order', { effects: [{ ...first, rows: [...first.rows].reverse() }] }, /gap/],
  ['a head beyond the last row', { effects: [{ ...first, sequence: 9n }] }, /not the last row/],
  [
    'balances that do not sum to zero',
    { effects: [{ ...first, accounts: new Map(first.accounts).set(ann, funded) }] },
    /sum to zero/,
  ],
  ['answers out of order', { receipts: [...decided.receipts].reverse() }, /order of the orders/],
  [
    'an answer for another package',
    { receipts: [decided.receipts[1], decided.receipts[0], decided.receipts[2]] },
    /another package/,
  ],
])('a batch with %s is rejected', (_case, change, message) => {
  expect(() => assertDecided(cache, orders, { ...decided, ...change })).toThrow(message);
});
