// Two ledgers on one database under 64 callers: every answer fits the journal's one order of events.
import { afterAll, beforeAll, it } from 'vitest';
import { playVariant, variants } from './ledger-histories.ts';
import { type Ledgers, openLedgers } from './ledgers.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

it.each(variants)('answers and books agree with the model: $name', (variant) =>
  playVariant(ledgers, variant, variant.hasTinyCache ? 40 : 100),
);
