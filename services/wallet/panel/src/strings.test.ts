// The texts of the wallet panel are complete in both languages.
import {
  findFileNames,
  findFixedPlurals,
  findGaps,
  findLostMarks,
  findUntranslated,
} from '@counterfoil/ui/compare-words.ts';
import { expect, it } from 'vitest';
import german from './strings.de.ts';
import { words as english } from './strings.ts';

/** Words that are the same in both languages. */
const same = [
  '198.51.100.0/24',
  'Demo',
  'Name',
  'Promo',
  'Sandbox',
  'Status',
  'Team',
  'Token',
  'Wallet',
  'Webhook',
  'Webhooks',
  'callback',
  'update_balance',
  '–',
  '≤ ‹first› ms',
];

/** Nouns whose singular and plural are the same, and nouns without a plural. */
const notCounted = {
  english: ['inspector.refusedField: Field'],
  german: ['inspector.refusedField: Feld', 'proof.hasFlaws: Fehler', 'proof.flawed: Fehler'],
};

it('the German texts have exactly the entries of the English texts', () => {
  expect(findGaps(english, german)).toEqual([]);
});

it('every text is translated, except words that are the same in both languages', () => {
  expect(findUntranslated(english, german)).toEqual(same);
});

it('every text uses the same arguments in both languages', () => {
  expect(findLostMarks(english, german)).toEqual([]);
});

it('no text has a plural noun after the number 1', () => {
  expect(findFixedPlurals(english)).toEqual(notCounted.english);
  expect(findFixedPlurals(german)).toEqual(notCounted.german);
});

it('no text names a file of the repository', () => {
  expect([...findFileNames(english), ...findFileNames(german)]).toEqual([]);
});
