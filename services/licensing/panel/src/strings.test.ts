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
const same = [
  'Audio',
  'Code',
  'Name',
  'Team',
  'Version',
  'Video',
  'Webhook',
  'Webhooks',
  '—',
  '‹first› ms',
];

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
  expect(findFixedPlurals(english)).toEqual([]);
  expect(findFixedPlurals(german)).toEqual([]);
});

it('names no file of the repository', () => {
  expect([...findFileNames(english), ...findFileNames(german)]).toEqual([]);
});
