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

/**
 * Words that `findFixedPlurals` reports by mistake. In these texts, the argument before the word is a name,
 * a time or an address, not a number.
 */
const notCounted = {
  english: ['team.removeText: loses'],
  german: ['webhooks.oldUntil: Ereignisse', 'webhooks.deleteText: nichts'],
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
