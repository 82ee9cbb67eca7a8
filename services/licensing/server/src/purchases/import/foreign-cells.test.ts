// Unambiguous dates and amounts in the files of Gumroad and Envato are converted; ambiguous values stay
// unchanged.
import { expect, it } from 'vitest';
import { parseMoment } from '../../wire/input.ts';
import { toAmount, toLicense, toMoment } from './foreign-cells.ts';

it.each([
  ['2024-03-05 14:07:09 UTC', '2024-03-05T14:07:09.000Z'],
  ['2024-03-05 14:07:09 +0000', '2024-03-05T14:07:09.000Z'],
  ['2024-03-05 14:07:09 +1100', '2024-03-05T03:07:09.000Z'],
  ['2024-03-05T14:07:09+11:00', '2024-03-05T03:07:09.000Z'],
  ['2024-03-05', '2024-03-05T00:00:00.000Z'],
  ['5 Mar 2024', '2024-03-05T00:00:00.000Z'],
  ['05 March 2024 9:07', '2024-03-05T09:07:00.000Z'],
  ['Mar 5, 2024', '2024-03-05T00:00:00.000Z'],
  ['Tue Mar 05 14:07:09 +1100 2024', '2024-03-05T03:07:09.000Z'],
])('the date and time %s is read as %s', (given, moment) => {
  expect(parseMoment(toMoment(given))?.toISOString()).toBe(moment);
});

it.each([['03/05/2024'], ['5.3.2024'], ['30 Feb 2024'], ['5 Foo 2024'], ['soon'], ['']])(
  'the ambiguous or invalid date %j is refused',
  (given) => {
    expect(parseMoment(toMoment(given))).toBeUndefined();
  },
);

it.each([
  ['19', '19'],
  ['19.0', '19.0'],
  ['$1,234.50', '1234.50'],
  ['US$ 5', '5'],
  ['-12.00', '12.00'],
  ['12.00 USD', '12.00'],
  ['1,99', '1,99'],
  ['1.234,50', '1.234,50'],
  ['€5', '€5'],
])('the amount %s is read as %s', (given, amount) => {
  expect(toAmount(given)).toBe(amount);
});

it.each([
  ['Regular License', 'Regular'],
  ['extended licence', 'extended'],
  ['Regular', 'Regular'],
])('the licence %s is read as %s', (given, license) => {
  expect(toLicense(given)).toBe(license);
});
