// The texts of the licensing panel are complete in both languages.
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
const same = ['Audio', 'Code', 'Name', 'Team', 'Version', 'Video', 'Webhook', 'Webhooks', '—', '‹first› ms'];

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
  expect(findFixedPlurals(english)).toEqual([]);
  expect(findFixedPlurals(german)).toEqual([]);
});

it('no text names a file of the repository', () => {
  expect([...findFileNames(english), ...findFileNames(german)]).toEqual([]);
});
