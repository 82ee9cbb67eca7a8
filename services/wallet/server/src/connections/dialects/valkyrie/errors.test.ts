// Every failure has an error of the PAM API. The wallet's own failures can be retried.
import { describe, expect, it } from 'vitest';
import { requestOf, terms } from '../../../../test/environment/valkyrie-requests.ts';
import type { EarlyFailure, FailureCode } from '../dialect.ts';
import { failureErrors } from './errors.ts';
import { valkyrie } from './valkyrie.ts';

/** The error codes that pam_api.yml, version 0.7.0, lists. */
const documented = new Set(
  (
    'UNDEFINED ACC_NOT_FOUND GAME_NOT_FOUND ROUND_NOT_FOUND TRANS_NOT_FOUND CASH_OVERDRAFT BONUS_OVERDRAFT ' +
    'SESSION_NOT_FOUND SESSION_EXPIRED MISSING_PROVIDER TRANS_CURRENCY NEGATIVE_STAKE CANCEL_NOT_FOUND ' +
    'TRANS_ALREADY_CANCELLED CANCEL_NON_WITHDRAW BET_NOT_ALLOWED PLAYER_NOT_FOUND API_TOKEN ' +
    'TRANS_ALREADY_SETTLED DUPLICATE_TRANS PROMO_OVERDRAFT TIMEOUT'
  )
    .split(' ')
    .map((code) => `PAM_ERR_${code}`),
);

const expected: Record<FailureCode, [code: string, status: number]> = {
  player_not_found: ['PAM_ERR_PLAYER_NOT_FOUND', 200],
  player_blocked: ['PAM_ERR_BET_NOT_ALLOWED', 200],
  session_not_found: ['PAM_ERR_SESSION_NOT_FOUND', 401],
  session_expired: ['PAM_ERR_SESSION_EXPIRED', 200],
  insufficient_funds: ['PAM_ERR_CASH_OVERDRAFT', 200],
  balance_limit: ['PAM_ERR_UNDEFINED', 200],
  bet_limit: ['PAM_ERR_BET_NOT_ALLOWED', 200],
  bet_not_found: ['PAM_ERR_TRANS_NOT_FOUND', 200],
  game_not_found: ['PAM_ERR_GAME_NOT_FOUND', 200],
  bet_rolled_back: ['PAM_ERR_TRANS_ALREADY_CANCELLED', 200],
  bet_refused: ['PAM_ERR_TRANS_NOT_FOUND', 200],
  bet_already_settled: ['PAM_ERR_TRANS_ALREADY_SETTLED', 200],
  round_closed: ['PAM_ERR_TRANS_ALREADY_SETTLED', 200],
  round_not_found: ['PAM_ERR_ROUND_NOT_FOUND', 200],
  not_a_bet: ['PAM_ERR_CANCEL_NON_WITHDRAW', 200],
  transaction_conflict: ['PAM_ERR_DUPLICATE_TRANS', 200],
  internal_error: ['PAM_ERR_TIMEOUT', 500],
  overloaded: ['PAM_ERR_TIMEOUT', 503],
  unavailable: ['PAM_ERR_TIMEOUT', 503],
  outcome_unknown: ['PAM_ERR_TIMEOUT', 503],
};

const context = { kind: 'transaction', type: 'WITHDRAW', hasPromoLeg: false, reusesBetId: false } as const;

describe('an error of the PAM API', () => {
  it.each(Object.entries(expected))(
    'the error for the failure %s is %j, with the balance if the balance is known',
    (code, [pam, status]) => {
      const failure = { kind: 'failed', code: code as FailureCode, leg: 0 } as const;
      const plain = valkyrie.present(failure, context, terms);
      expect(plain.status).toBe(status);
      expect(JSON.parse(plain.body)).toEqual({
        status: 'ERROR',
        error: { code: pam, message: expect.any(String) },
      });
      const known = valkyrie.present({ ...failure, balances: { cash: 12_345n, promo: 1n } }, context, terms);
      expect(JSON.parse(known.body)).toMatchObject({
        error: { code: pam },
        transactionResult: { balance: { cashAmount: 0.12345, bonusAmount: 0, promoAmount: 0.00001 } },
      });
    },
  );

  it('an error of the PAM API has a code that pam_api.yml lists', () => {
    const codes = Object.values(failureErrors).map(({ code }) => code);
    expect(codes.filter((code) => !documented.has(code))).toEqual([]);
  });

  it.each([
    ['forged', 'PAM_ERR_API_TOKEN', 401],
    ['stale', 'PAM_ERR_API_TOKEN', 401],
    ['paused', 'PAM_ERR_TIMEOUT', 200],
    ['too_large', 'PAM_ERR_UNDEFINED', 400],
    ['not_found', 'PAM_ERR_UNDEFINED', 404],
    ['internal_error', 'PAM_ERR_TIMEOUT', 500],
    ['overloaded', 'PAM_ERR_TIMEOUT', 503],
  ] as [EarlyFailure, string, number][])(
    'the error for the early failure %s is %s with the status %i',
    (failure, code, status) => {
      const answer = valkyrie.presentEarly(failure, requestOf());
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
    },
  );
});
