// Money is parsed and formatted exactly, and amounts that are not exact are refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMinor, maxDecimals, maxMinor, parseMinor, toJsonNumber } from './money.ts';
import { countDiffering } from './testing/money-round-trips.ts';

describe('parseMinor', () => {
  it.each([
    [0.07, '7'],
    [0.29, '29'],
    [4.35, '435'],
    [19.99, '1999'],
    [1e2, '10000'],
    [0, '0'],
    ['0.07', '7'],
    ['19.9', '1990'],
    ['007.00', '700'],
    [9_999_999_999_999.99, '999999999999999'],
  ])('parseMinor parses %j as %s minor units of a currency with two decimals', (amount, minor) => {
    expect(parseMinor(amount, 'EUR')).toBe(BigInt(minor));
  });

  it.each(
    [
      1e21,
      0.001,
      1e-7,
      -1,
      -0.01,
      '-1',
      '+1',
      '0x10',
      ' 7 ',
      '7 ',
      '1e2',
      '.5',
      '5.',
      '1,5',
      '',
      '1.000',
      '١',
      true,
      false,
      [5],
      {},
      null,
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number('9007199254740993'),
      '12345678901234.56',
      '9999999999999999',
    ].map((value) => [value]),
  )('parseMinor refuses %j', (amount) => {
    expect(parseMinor(amount, 'EUR')).toBeUndefined();
  });

  it('parseMinor refuses a bigint, which JSON cannot represent', () => {
    expect(parseMinor(5n, 'EUR')).toBeUndefined();
  });

  it('parseMinor parses currencies with no, three and four decimals', () => {
    expect(parseMinor(5, 'JPY')).toBe(5n);
    expect(parseMinor(5.5, 'JPY')).toBeUndefined();
    expect(parseMinor('1.234', 'KWD')).toBe(1234n);
    expect(parseMinor(1.2345, 'CLF')).toBe(12345n);
    expect(() => parseMinor(1, 'ZZZ')).toThrow('unknown currency');
  });

  it('parseMinor refuses an amount that has more than 15 digits in minor units', () => {
    expect(parseMinor('99999999999999', 'EUR')).toBeUndefined();
    expect(parseMinor('9999999999999', 'EUR')).toBe(999_999_999_999_900n);
  });
});

describe('amounts in minor units', () => {
  it('amounts have at most 15 digits, as a number and as a text', () => {
    expect(maxMinor).toBe(999_999_999_999_999n);
    expect(parseMinor(9_999_999_999_999.99, 'EUR')).toBe(maxMinor);
    expect(parseMinor('9999999999999.99', 'EUR')).toBe(maxMinor);
    expect(parseMinor(10_000_000_000_000, 'EUR')).toBeUndefined();
    expect(parseMinor('10000000000000', 'EUR')).toBeUndefined();
    expect(parseMinor(1e15, 'JPY')).toBeUndefined();
    expect(parseMinor(999_999_999_999_999, 'JPY')).toBe(maxMinor);
  });

  it('an amount that is given as text has at most 15 digits, and leading zeros count', () => {
    expect(parseMinor('0000000000001.00', 'EUR')).toBe(100n);
    expect(parseMinor('00000000000001.00', 'EUR')).toBeUndefined();
    expect(parseMinor('000000000000001.0', 'EUR')).toBeUndefined();
  });

  it('amounts are written with the decimals of their currency', () => {
    expect(toJsonNumber(1234n, 'JPY')).toBe(1234);
    expect(toJsonNumber(1234n, 'EUR')).toBe(12.34);
    expect(toJsonNumber(1234n, 'KWD')).toBe(1.234);
    expect(toJsonNumber(12345n, 'CLF')).toBe(1.2345);
    expect(formatMinor(0n, 'EUR')).toBe('0.00');
    expect(formatMinor(-1n, 'EUR')).toBe('-0.01');
  });
});

it('a sum that no JSON number can represent exactly becomes the nearest number', () => {
  // Converting the minor units to a number before dividing them by 100 would give 90071992547409.92.
  expect(toJsonNumber(9_007_199_254_740_993n, 'EUR')).toBe(Number('90071992547409.93'));
  expect(toJsonNumber(9_007_199_254_740_991n, 'EUR')).toBe(Number('90071992547409.91'));
});

describe('an amount in a unit that is finer than its currency', () => {
  const fine = (decimals: number) => ({ currency: 'EUR', decimals });

  it('a unit has at most 8 decimals', () => {
    expect(maxDecimals).toBe(8);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'the amount is written as the number that its decimal text shows, with %s decimals',
    (decimals) => {
      expect(toJsonNumber(123_456_789n, fine(decimals))).toBe(
        Number(formatMinor(123_456_789n, fine(decimals))),
      );
    },
  );

  it('the amount is parsed and written with the decimals of the unit', () => {
    expect(parseMinor(0.00001, fine(5))).toBe(1n);
    expect(parseMinor('12.34567', fine(5))).toBe(1_234_567n);
    expect(parseMinor(12.5, fine(5))).toBe(1_250_000n);
    expect(parseMinor(1e-8, fine(8))).toBe(1n);
    expect(parseMinor('0.00000001', fine(8))).toBe(1n);
    expect(formatMinor(1n, fine(8))).toBe('0.00000001');
    expect(formatMinor(-1_234_567n, fine(5))).toBe('-12.34567');
    expect(JSON.stringify(toJsonNumber(1n, fine(8)))).toBe('1e-8');
    expect(toJsonNumber(1_234_567n, fine(5))).toBe(12.34567);
  });

  it('an amount that is finer than its unit is refused', () => {
    expect(parseMinor(0.000001, fine(5))).toBeUndefined();
    expect(parseMinor('0.000001', fine(5))).toBeUndefined();
    expect(parseMinor(1e-9, fine(8))).toBeUndefined();
  });

  it('the amount is limited to 15 digits in total', () => {
    expect(parseMinor('9999999.99999999', fine(8))).toBe(maxMinor);
    expect(parseMinor(9_999_999.99999999, fine(8))).toBe(maxMinor);
    expect(parseMinor('10000000', fine(8))).toBeUndefined();
    expect(parseMinor(10_000_000, fine(8))).toBeUndefined();
  });

  it('an amount is unchanged after it was written as a JSON number or text and read back', () => {
    const anyMinor = fc.bigInt({ min: 0n, max: maxMinor });
    fc.assert(
      fc.property(anyMinor, fc.integer({ min: 0, max: 8 }), (minor, decimals) => {
        const unit = fine(decimals);
        expect(parseMinor(formatMinor(minor, unit), unit)).toBe(minor);
        expect(parseMinor(JSON.parse(JSON.stringify(toJsonNumber(minor, unit))), unit)).toBe(minor);
      }),
    );
  });
});

describe('round trips', () => {
  it('200,000 random amounts are unchanged after writing and reading JSON', () => {
    expect(countDiffering(200_000)).toBe(0);
  });

  it('every amount up to the largest is parsed back from its decimal text unchanged', () => {
    const anyMinor = fc.bigInt({ min: 0n, max: maxMinor });
    fc.assert(
      fc.property(anyMinor, fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (minor, currency) => {
        expect(parseMinor(formatMinor(minor, currency), currency)).toBe(minor);
      }),
    );
    expect(formatMinor(-5n, 'EUR')).toBe('-0.05');
    expect(toJsonNumber(-123n, 'EUR')).toBe(-1.23);
  });
});
