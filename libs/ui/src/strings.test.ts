// The shared parts say the same in both languages.
import { expect, it } from 'vitest';
import {
  findFileNames,
  findFixedPlurals,
  findGaps,
  findLostMarks,
  findUntranslated,
} from './compare-words.ts';
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

/** Nouns that are the same in the plural, and nouns that are not counted. */
const notCounted = {
  english: ['team.removeText: loses'],
  german: ['webhooks.oldUntil: Ereignisse', 'webhooks.deleteText: nichts'],
};

it('German has every entry of English, of the same kind, and no other', () => {
  expect(findGaps(english, german)).toEqual([]);
});

it('every entry is German, but for words that are the same', () => {
  expect(findUntranslated(english, german)).toEqual(same);
});

it('what a sentence names in one language, it names in the other', () => {
  expect(findLostMarks(english, german)).toEqual([]);
});

it('counts one thing in the singular', () => {
  expect(findFixedPlurals(english)).toEqual(notCounted.english);
  expect(findFixedPlurals(german)).toEqual(notCounted.german);
});

it('names no file of the repository', () => {
  expect([...findFileNames(english), ...findFileNames(german)]).toEqual([]);
});
