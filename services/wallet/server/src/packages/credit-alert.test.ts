// The levels of `credit_alert`, at and around every boundary.
import { describe, expect, it } from 'vitest';
import { findAlertLevel, presentCredit, writeCredit } from './credit-alert.ts';

const terms = (alertThreshold: bigint, overdraftLimit = 0n) => ({
  currency: 'EUR',
  decimals: 2,
  alertThreshold,
  overdraftLimit,
});

describe('findAlertLevel', () => {
  it.each([
    [10001n, undefined],
    [10000n, 'low'],
    [2501n, 'low'],
    [2500n, 'critical'],
    [1n, 'critical'],
    [0n, 'exhausted'],
  ])('with a threshold of 100.00, a credit of %s minor units has the level %s', (credit, level) => {
    expect(findAlertLevel(terms(10000n), credit)).toBe(level);
  });

  it('findAlertLevel counts the overdraft as available credit', () => {
    expect(findAlertLevel(terms(10000n, 500n), 0n)).toBe('critical');
    expect(findAlertLevel(terms(10000n, 500n), -499n)).toBe('critical');
    expect(findAlertLevel(terms(10000n, 500n), -500n)).toBe('exhausted');
  });

  it('findAlertLevel gives no alert without a threshold until the credit is exhausted', () => {
    expect(findAlertLevel(terms(0n), 1n)).toBeUndefined();
    expect(findAlertLevel(terms(0n), 0n)).toBe('exhausted');
  });
});

describe('presentCredit', () => {
  it('a low credit gets an alert with level, threshold and balance; a high credit gets null', () => {
    expect(presentCredit(terms(10000n), 20000n)).toEqual({
      package_balance: 200,
      credit_alert: null,
    });
    expect(presentCredit(terms(10000n), 4000n)).toEqual({
      package_balance: 40,
      credit_alert: {
        level: 'low',
        message: 'Package credit is low: 40.00 EUR left.',
        threshold: 100,
        balance: 40,
      },
    });
  });
});

describe('writeCredit', () => {
  it.each([20000n, 10000n, 2500n, 1n, 0n])(
    'writeCredit writes the fields that presentCredit returns for a credit of %s',
    (credit) => {
      const written = JSON.parse(`{${writeCredit(terms(10000n), credit)}}`);
      expect(written).toEqual(presentCredit(terms(10000n), credit));
    },
  );
});
