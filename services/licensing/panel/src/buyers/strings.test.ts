// The texts of the buyer portal are complete in both languages.
import {
  findFixedPlurals,
  findGaps,
  findLostMarks,
  findUntranslated,
} from '@counterfoil/ui/compare-words.ts';
import { expect, it } from 'vitest';
import german from './strings.de.ts';
import { words as english } from './strings.ts';

it('German has exactly the entries of English, and every text is translated', () => {
  expect(findGaps(english, german)).toEqual([]);
  expect(findUntranslated(english, german)).toEqual([]);
});

it('both languages use the same arguments, and no text has a plural noun after the number 1', () => {
  expect(findLostMarks(english, german)).toEqual([]);
  expect([...findFixedPlurals(english), ...findFixedPlurals(german)]).toEqual([]);
});
