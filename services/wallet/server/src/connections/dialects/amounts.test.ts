// Amounts of providers are read exactly or refused.
import { describe, expect, it } from 'vitest';
import { formatDecimal, hasInexactNumber, parseAmount, parseUnits, toUnits } from './amounts.ts';

describe('an amount of a provider', () => {
  it.each([
    [0.1, 2, 10n],
    [0.07, 2, 7n],
    [19.99, 2, 1999n],
    [0.29, 2, 29n],
    [1.005, 3, 1005n],
    [0.00001, 5, 1n],
    [1000, 5, 100_000_000n],
    [63727092.34, 5, 6_372_709_234_000n],
    [9999999999.99999, 5, 999_999_999_999_999n],
    [999_999_999_999_999, 0, 999_999_999_999_999n],
    [0.00000001, 8, 1n],
    [-0, 2, 0n],
    ['10.00', 2, 1000n],
    ['0.1', 5, 10_000n],
    ['0.010', 2, 1n],
    ['9999999999999.99', 2, 999_999_999_999_999n],
  ])('the amount %s in a package with %s decimals has %s minor units', (amount, decimals, minor) => {
    expect(parseAmount(amount, decimals)).toBe(minor);
  });

  it.each([
    [0.001, 2],
    [0.000001, 5],
    [1e15, 0],
    [10_000_000_000, 5],
    [Number('9007199254740993'), 2],
    [1e300, 2],
    [0.1 + 0.2, 5],
    [-0.01, 2],
    [Number.NaN, 2],
    [Number.POSITIVE_INFINITY, 2],
    ['1e2', 2],
    ['-1', 2],
    ['', 2],
    ['1,5', 2],
    ['0.001', 2],
    ['10000000000000.00', 2],
    [null, 2],
    [undefined, 2],
    [true, 2],
    [[1], 2],
    [{}, 2],
    [1n, 2],
    [1, 9],
    [1, -1],
  ])('the amount %O is refused in a package with %s decimals', (amount, decimals) => {
    expect(parseAmount(amount, decimals)).toBeUndefined();
  });

  it('20,000 random amounts are read exactly, both as JSON numbers and as texts', () => {
    const wrong: string[] = [];
    let seed = 7;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed;
    };
    for (let i = 0; i < 20_000; i++) {
      const decimals = i % 9;
      const minor = BigInt(next()) * BigInt(next() % 400_000);
      const digits = minor.toString().padStart(decimals + 1, '0');
      const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
      if (parseAmount(Number(text), decimals) !== minor) wrong.push(text);
      if (parseAmount(text, decimals) !== minor) wrong.push(`"${text}"`);
    }
    expect(wrong).toEqual([]);
  });
});

it.each([
  [0n, 2, '0.00'],
  [5n, 2, '0.05'],
  [10_000n, 2, '100.00'],
  [7n, 0, '7'],
  [0n, 0, '0'],
  [1n, 8, '0.00000001'],
  [-150n, 2, '-1.50'],
  [-7n, 2, '-0.07'],
])('an amount of %s minor units with %s decimals is written as %s', (minor, decimals, text) => {
  expect(formatDecimal(minor, decimals)).toBe(text);
});

describe('a whole number of hundred-thousandths', () => {
  const most = 999_999_999_999_999n;

  it.each([
    [0n, 2, 0n],
    [1000n, 2, 1n],
    [123_000n, 2, 123n],
    [100_000n, 0, 1n],
    [1n, 5, 1n],
    [1n, 8, 1000n],
    [most, 5, most],
  ])('%s hundred-thousandths in a package with %s decimals are %s minor units', (units, decimals, minor) => {
    expect(parseUnits(units, 5, decimals)).toBe(minor);
  });

  it.each([
    ['negative', -1000n, 2],
    ['finer than the scale', 1001n, 2],
    ['finer than the scale', 999n, 2],
    ['too large', most + 1n, 5],
    ['too large', most, 6],
  ])('a number that is %s is refused: %s hundred-thousandths, %s decimals', (_why, units, decimals) => {
    expect(parseUnits(units, 5, decimals)).toBeUndefined();
  });

  it.each([
    [123n, 2, 123_000n],
    [123n, 0, 12_300_000n],
    [123n, 5, 123n],
    [12_345n, 8, 12n],
  ])('an amount of %s minor units with %s decimals is %s hundred-thousandths', (minor, decimals, units) => {
    expect(toUnits(minor, 5, decimals)).toBe(units);
  });
});

describe('a JSON text', () => {
  const names = new Set(['amount', 'fee']);

  it.each([
    '{"amount":1e2}',
    '{"amount": 1E+2}',
    '{"amount":1.00000000000000001}',
    '{"amount":-1.00000000000000001}',
    '{"amount":9007199254740993}',
    '{"amount":1000000000000000000}',
    '{"id":"x","fee":0.1234567890123456}',
    '{"id":"a:1e5","amount":0.10000000000000001}',
    '{"a\\u006dount":1e2}',
    '{"deep":[{"amount":1e2}]}',
  ])('the text %s has an inexact number in the field amount or fee', (json) => {
    expect(hasInexactNumber(json, names)).toBe(true);
  });

  it.each([
    '{"amount":100}',
    '{"amount":10.000000000000000000}',
    '{"amount":0.000000000000000000001}',
    '{"amount":0000000000000000000.1}',
    '{"amount":0.123456789012345}',
    '{"other":1e2,"amount":1}',
    '["amount",1e2]',
    '{"amount":"1e2"}',
    '{"id":"\\"amount\\":1e2","fee":1}',
    '{"id":"12:34e56,7e8","amount":123456789.12345}',
    '{"at":"2026-01-02T03:04:05.678901234567890123Z"}',
    '[]',
  ])('the text %s has no inexact number in the fields amount and fee', (json) => {
    expect(hasInexactNumber(json, names)).toBe(false);
  });

  // If the search took quadratic time, a text of 4 MiB would take hours, and the test would exceed its time
  // limit. Real bodies have at most 64 KiB.
  it.each(['"', '\\"', ': ', '1', '1e', ',-', '"a":', '"amount":1e'])(
    'the search for inexact numbers terminates if a text of 4 MiB repeats %s',
    (part) => {
      expect(hasInexactNumber(part.repeat(4_194_304 / part.length), new Set())).toBe(false);
    },
  );
});
