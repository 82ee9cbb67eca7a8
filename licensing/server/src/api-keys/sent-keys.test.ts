// One key out of all that a request carries: pasted with blanks it is still the same key.
import { expect, it } from 'vitest';
import { conflict, unite } from './sent-keys.ts';

it('blanks around a key are no part of it, wherever it travels', () => {
  expect(unite([' ck_live_x\n', 'ck_live_x', '\tck_live_x'])).toBe('ck_live_x');
});

it('a blank alone counts as none', () => {
  expect(unite(['  ', undefined, null, ''])).toBeUndefined();
  expect(unite([' ', 'ck_live_x'])).toBe('ck_live_x');
});

it('two different keys are a conflict, and so is a key beside what is no text', () => {
  expect(unite(['ck_live_x', 'ck_live_y'])).toBe(conflict);
  expect(unite(['ck_live_x', 5])).toBe(conflict);
});
