// Plays histories with 64 callers and two ledgers on one database. The answers must agree with the order of
// the journal.
import { afterAll, beforeAll, it } from 'vitest';
import { playVariant, variants } from './ledger-histories.ts';
import { type Ledgers, openLedgers } from './ledgers.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

it.each(variants.filter(({ isSlow }) => !isSlow))(
  'the answers to all orders and the stored rows agree with the model: $name',
  (variant) => playVariant(ledgers, variant, variant.hasTinyCache ? 40 : 100),
);
