// The shared parts say the same in both languages.
import { expect, it } from 'vitest';
import { findGaps, findLostMarks, findUntranslated } from './compare-words.ts';
import german from './strings.de.ts';
import { words as english } from './strings.ts';

/** The same word in both languages. */
const same = [
  'Administrator',
  'Browser',
  'Code',
  'Counterfoil',
  'Name',
  'Navigation',
  'Team',
  '–',
  '‹first› ms',
];

it('German has every entry of English, of the same kind, and no other', () => {
  expect(findGaps(english, german)).toEqual([]);
});

it('every entry is German, but for words that are the same', () => {
  expect(findUntranslated(english, german)).toEqual(same);
});

it('what a sentence names in one language, it names in the other', () => {
  expect(findLostMarks(english, german)).toEqual([]);
});
