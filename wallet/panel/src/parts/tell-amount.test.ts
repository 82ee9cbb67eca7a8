// Amounts on the screen: every digit that was sent, and none that was not.
import { describe, expect, it } from 'vitest';
import { tellAmount, tellMoney } from './tell-amount.ts';

describe('an amount', () => {
  it.each([
    [0.07, 'EUR', '0.07'],
    [12.5, 'EUR', '12.50'],
    [9999999999999.99, 'EUR', '9,999,999,999,999.99'],
    ['123456789012345678901.23', 'EUR', '123,456,789,012,345,678,901.23'],
    [-1000, 'EUR', '−1,000.00'],
    [1234, 'JPY', '1,234'],
    [1.2345, 'EUR', '1.2345'],
    [0.5, 'KWD', '0.500'],
    [7, undefined, '7'],
  ])('%s %s is %s', (amount, currency, shown) => {
    expect(tellAmount(amount, currency)).toBe(shown);
  });

  it('what is no amount is shown as it came', () => {
    expect(tellAmount('1e21', 'EUR')).toBe('1e21');
    expect(tellMoney(1, 'XYZ')).toContain('XYZ');
  });
});
