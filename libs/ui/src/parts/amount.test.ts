// Formatted amounts keep exactly the digits that were sent, in the format of each language.
import { describe, expect, it } from 'vitest';
import { formatAmount, formatPrice, readAmount, writeAmount } from './amount.ts';

/** Replaces non-breaking spaces by spaces. */
const asSeen = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a formatted amount', () => {
  it.each([
    [0.07, 'EUR', '0.07', '0,07'],
    [12.5, 'EUR', '12.50', '12,50'],
    [9999999999999.99, 'EUR', '9,999,999,999,999.99', '9.999.999.999.999,99'],
    ['123456789012345678901.23', 'EUR', '123,456,789,012,345,678,901.23', undefined],
    ['123456789012345678901.23', 'EUR', undefined, '123.456.789.012.345.678.901,23'],
    [-1000, 'EUR', '−1,000.00', '−1.000,00'],
    [1234, 'JPY', '1,234', '1.234'],
    [1.2345, 'EUR', '1.2345', '1,2345'],
    [0.5, 'KWD', '0.500', '0,500'],
    [7, undefined, '7', '7'],
  ])(
    'the amount %s %s is formatted as %s in English and as %s in German',
    (amount, currency, english, german) => {
      if (english) expect(formatAmount(amount, currency, 'en')).toBe(english);
      if (german) expect(formatAmount(amount, currency, 'de')).toBe(german);
    },
  );

  it('a text that is no plain decimal is shown unchanged, and an unknown currency as its code', () => {
    expect(formatAmount('1e21', 'EUR')).toBe('1e21');
    expect(formatPrice(1, 'XYZ')).toContain('XYZ');
    expect(formatPrice(1, 'no code')).toBe('1 no code');
  });

  it.each([
    [1234.5, 'EUR', '€1,234.50', '1.234,50 €'],
    [-0.5, 'USD', '−$0.50', '−0,50 $'],
    [999999999999999, 'JPY', '¥999,999,999,999,999', '999.999.999.999.999 ¥'],
    [19.995, 'USD', '$19.995', '19,995 $'],
  ])(
    'the amount %s %s with the currency symbol is %s in English and %s in German',
    (amount, currency, english, german) => {
      expect(formatPrice(amount, currency, 'en')).toBe(english);
      expect(asSeen(formatPrice(amount, currency, 'de'))).toBe(german);
    },
  );

  it.each(['en', 'de', 'de-CH', 'en-IN'])(
    'an amount in an input field is read back unchanged in the language %s',
    (at) => {
      for (const amount of ['0.07', '1234567.89', '-5.10', '12'])
        expect(readAmount(writeAmount(amount, undefined, at), at)).toBe(amount);
      expect(readAmount(writeAmount(1000, 'EUR', at), at)).toBe('1000.00');
    },
  );

  it('a thousands separator in a typed amount is never read as a decimal mark', () => {
    expect(readAmount('12,50', 'de')).toBe('12.50');
    // The service refuses both results, because a valid decimal number contains no comma.
    expect(readAmount('1.000', 'de')).toBe('1,000');
    expect(readAmount('1,000', 'en')).toBe('1,000');
  });
});
