// The shared texts are complete in both languages.
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

/** Words that are the same in both languages. */
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

it('German has exactly the entries of English', () => {
  expect(findGaps(english, german)).toEqual([]);
});

it('every entry is translated, except words that are the same', () => {
  expect(findUntranslated(english, german)).toEqual(same);
});

it('both languages use the same arguments', () => {
  expect(findLostMarks(english, german)).toEqual([]);
});

it('uses the singular after 1', () => {
  expect(findFixedPlurals(english)).toEqual(notCounted.english);
  expect(findFixedPlurals(german)).toEqual(notCounted.german);
});

it('names no file of the repository', () => {
  expect([...findFileNames(english), ...findFileNames(german)]).toEqual([]);
});
